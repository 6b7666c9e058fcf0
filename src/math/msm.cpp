#include "math/msm.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "math/point_kernels.hpp"
#include "math/signed_digits.hpp"

namespace proofline::math {
namespace {

/// Points decoded and worked on at a time; the buckets live on between blocks.
constexpr std::size_t kBlock = std::size_t{1} << 16;
/// Additions that share one inversion (about 2 us, 60 products).
constexpr std::size_t kBatch = 512;
/// Bucket conflicts that wait before they are resolved together.
constexpr std::size_t kDelayed = 2048;
/// Points of scalar one summed by one task.
constexpr std::size_t kOnesChunk = 2048;
/// Additions ahead of which a bucket is fetched into cache.
constexpr std::size_t kPrefetch = 16;
/// Cost of summing up one bucket at the end (a mixed and a full Jacobian addition) in batched additions.
constexpr double kBucketCost = 4.5;

unsigned choose_window(std::size_t n, unsigned threads) {
  unsigned best = 2;
  double best_cost = 0;
  for (unsigned c = 2; c <= 20; ++c) {
    const unsigned rounds = (signed_windows(c) + threads - 1) / threads;
    const double cost = rounds * (static_cast<double>(n) + kBucketCost * static_cast<double>(1U << (c - 1)));
    if (c == 2 || cost < best_cost) {
      best = c;
      best_cost = cost;
    }
  }
  return best;
}

/// One addition into a bucket of a window.
struct Entry {
  std::uint32_t bucket;
  std::uint32_t point;  ///< in the block
  bool negate;
};

/// The buckets of one window while a block is added to them.
template <class Kernel>
class WindowAdder {
 public:
  using Stored = typename Kernel::Stored;

  WindowAdder(std::span<Stored> buckets, std::span<const Stored> points)
      : buckets_(buckets),
        points_(points),
        stamps_(buckets.size(), 0),
        adder_(std::clamp<std::size_t>(buckets.size() / 8, 1, kBatch)) {}

  void add(const Entry& entry) {
    if (stamps_[entry.bucket] == batch_) {
      delayed_.push_back(entry);
      if (delayed_.size() >= kDelayed) finish();
      return;
    }
    stamps_[entry.bucket] = batch_;
    adder_.add(&buckets_[entry.bucket], points_[entry.point], entry.negate);
    if (adder_.full()) next_batch();
  }

  /// Does everything pending.
  void finish() {
    next_batch();
    if (delayed_.empty()) return;
    // Points of the same bucket are first added among themselves, in pairs: no bucket, however crowded,
    // makes a batch small.
    std::sort(delayed_.begin(), delayed_.end(), [](const Entry& a, const Entry& b) { return a.bucket < b.bucket; });
    std::vector<Stored> sums;
    sums.reserve(delayed_.size());
    for (const Entry& entry : delayed_) sums.push_back(entry.negate ? -points_[entry.point] : points_[entry.point]);
    struct Group {
      std::size_t begin, size;
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < delayed_.size(); ++i) {
      if (i == 0 || delayed_[i].bucket != delayed_[i - 1].bucket) groups.push_back({i, 0});
      ++groups.back().size;
    }
    for (bool again = true; again;) {
      again = false;
      for (Group& group : groups) {
        const std::size_t half = (group.size + 1) / 2;
        for (std::size_t i = half; i < group.size; ++i) push(&sums[group.begin + i - half], sums[group.begin + i]);
        group.size = half;
        again = again || half > 1;
      }
      adder_.flush();
    }
    for (const Group& group : groups) push(&buckets_[delayed_[group.begin].bucket], sums[group.begin]);
    delayed_.clear();
    next_batch();
  }

 private:
  void push(Stored* target, const Stored& point) {
    if (adder_.full()) adder_.flush();
    adder_.add(target, point, false);
  }
  void next_batch() {
    adder_.flush();
    ++batch_;
  }

  std::span<Stored> buckets_;
  std::span<const Stored> points_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t batch_ = 1;
  typename Kernel::Adder adder_;
  std::vector<Entry> delayed_;
};

/// Pippenger's method over blocks of points.
template <class Kernel>
class Pippenger {
 public:
  using Point = typename Kernel::Point;
  using Affine = typename Kernel::Affine;
  using Stored = typename Kernel::Stored;

  Pippenger(std::size_t n, const Executor& exec)
      : exec_(exec),
        c_(choose_window(n, exec.threads())),
        windows_(signed_windows(c_)),
        buckets_(std::size_t{windows_} << (c_ - 1)) {}

  void add(std::span<const Affine> affine_points, std::span<const Fr> scalars) {
    const std::span<const Stored> points = Kernel::load(affine_points, loaded_, exec_);
    ones_.clear();
    active_.clear();
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (scalars[i].is_zero()) continue;
      (scalars[i].is_one() ? ones_ : active_).push_back(static_cast<std::uint32_t>(i));
    }
    add_ones(points);
    add_to_buckets(points, scalars);
  }

  Point result() {
    std::vector<Point> sums(windows_);
    exec_.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w) sums[w] = weighted_sum(window(w));
    });
    Point total = sums[windows_ - 1];
    for (unsigned w = windows_ - 1; w-- > 0;) {
      for (unsigned i = 0; i < c_; ++i) total = total.doubled();
      total += sums[w];
    }
    return total + ones_sum_;
  }

 private:
  std::span<Stored> window(std::size_t w) {
    return std::span(buckets_).subspan(w << (c_ - 1), std::size_t{1} << (c_ - 1));
  }

  /// Sum of (k + 1) * buckets[k].
  static Point weighted_sum(std::span<const Stored> buckets) {
    constexpr std::size_t kTogether = 256;
    std::vector<Affine> block(std::min(kTogether, buckets.size()));
    Point running, total;
    for (std::size_t end = buckets.size(); end > 0; end -= block.size()) {
      Kernel::unload(buckets.subspan(end - block.size(), block.size()), block);
      for (std::size_t k = block.size(); k-- > 0;) {
        running += block[k];
        total += running;
      }
    }
    return total;
  }

  void add_ones(std::span<const Stored> points) {
    std::mutex mutex;
    exec_.parallel_for(ones_.size(), kOnesChunk, [&](std::size_t begin, std::size_t end) {
      typename Kernel::Adder adder(std::min(kBatch, end - begin));
      std::vector<Stored> chunk;
      chunk.reserve(end - begin);
      for (std::size_t i = begin; i < end; ++i) chunk.push_back(points[ones_[i]]);
      const Stored stored = sum_in_place(std::span(chunk), adder);
      Affine sum;
      Kernel::unload(std::span(&stored, 1), std::span(&sum, 1));
      const std::lock_guard lock(mutex);
      ones_sum_ += sum;
    });
  }

  void add_to_buckets(std::span<const Stored> points, std::span<const Fr> scalars) {
    const std::size_t n = active_.size();
    if (n == 0) return;
    digits_.resize(windows_ * n);
    exec_.parallel_for(n, 1 << 10, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Fr& scalar = scalars[active_[i]];
        Fr::Limbs limbs = scalar.to_canonical();
        const bool negative = is_negative(limbs);
        if (negative) limbs = (-scalar).to_canonical();
        signed_digits(limbs, c_, windows_,
                      [&](unsigned w, std::int32_t digit) { digits_[w * n + i] = negative ? -digit : digit; });
      }
    });
    exec_.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w) {
        const std::span<Stored> buckets = window(w);
        const std::int32_t* digits = &digits_[w * n];
        WindowAdder<Kernel> adder(buckets, points);
        for (std::size_t i = 0; i < n; ++i) {
          if (i + kPrefetch < n) {
            const auto ahead = static_cast<std::size_t>(std::abs(digits[i + kPrefetch]));
            if (ahead != 0) __builtin_prefetch(&buckets[ahead - 1]);
          }
          if (digits[i] == 0) continue;
          adder.add({static_cast<std::uint32_t>(std::abs(digits[i])) - 1, active_[i], digits[i] < 0});
        }
        adder.finish();
      }
    });
  }

  const Executor& exec_;
  unsigned c_;
  unsigned windows_;
  std::vector<Stored> buckets_;
  std::vector<Stored> loaded_;
  Point ones_sum_;
  std::vector<std::uint32_t> ones_, active_;
  std::vector<std::int32_t> digits_;
};

std::size_t count_active(std::span<const Fr> scalars) {
  return static_cast<std::size_t>(
      std::count_if(scalars.begin(), scalars.end(), [](const Fr& s) { return !s.is_zero() && !s.is_one(); }));
}

template <class Point, class Fetch>
Point msm_in_blocks(std::span<const Fr> scalars, const Executor& exec, const Fetch& fetch) {
  return with_point_kernel<Point>([&](auto kernel) {
    Pippenger<decltype(kernel)> sum(count_active(scalars), exec);
    for (std::size_t begin = 0; begin < scalars.size(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, scalars.size());
      sum.add(fetch(begin, end), scalars.subspan(begin, end - begin));
    }
    return sum.result();
  });
}

template <class Point>
Point msm_from_span(std::span<const typename Point::Affine> points, std::span<const Fr> scalars, const Executor& exec) {
  return msm_in_blocks<Point>(scalars, exec,
                              [&](std::size_t begin, std::size_t end) { return points.subspan(begin, end - begin); });
}

template <class Point>
Point msm_from_reader(const PointReader<typename Point::Affine>& reader, std::span<const Fr> scalars,
                      const Executor& exec) {
  using Affine = typename Point::Affine;
  std::vector<Affine> block(std::min(kBlock, scalars.size()));
  return msm_in_blocks<Point>(scalars, exec, [&](std::size_t begin, std::size_t end) {
    exec.parallel_for(end - begin, 1 << 9, [&](std::size_t first, std::size_t last) {
      reader(begin + first, begin + last, std::span(block).subspan(first, last - first));
    });
    return std::span<const Affine>(block).first(end - begin);
  });
}

}  // namespace

G1 msm(std::span<const G1Affine> points, std::span<const Fr> scalars, const Executor& exec) {
  return msm_from_span<G1>(points, scalars, exec);
}
G2 msm(std::span<const G2Affine> points, std::span<const Fr> scalars, const Executor& exec) {
  return msm_from_span<G2>(points, scalars, exec);
}
G1 msm(const PointReader<G1Affine>& reader, std::span<const Fr> scalars, const Executor& exec) {
  return msm_from_reader<G1>(reader, scalars, exec);
}
G2 msm(const PointReader<G2Affine>& reader, std::span<const Fr> scalars, const Executor& exec) {
  return msm_from_reader<G2>(reader, scalars, exec);
}

}  // namespace proofline::math
