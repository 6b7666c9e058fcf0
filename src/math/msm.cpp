#include "math/msm.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <vector>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "math/bucket_adder.hpp"
#include "math/point_kernels.hpp"
#include "math/scalar_selection.hpp"
#include "math/signed_digits.hpp"

namespace proofline::math {
namespace {

/// Points of full-size scalars worked on at a time; the buckets live on between blocks. In lanes they take 2 MiB in G1:
/// they stay near while all windows pass over them.
constexpr std::size_t kBlock = std::size_t{1} << 14;
/// Points of scalars 1 taken at a time beside them: they need no buckets, and the more there are, the better they keep
/// several threads busy.
constexpr std::size_t kOnesBlock = std::size_t{1} << 15;
/// Points of scalars 1 and -1 summed by one task.
constexpr std::size_t kOnesChunk = 4096;
/// Additions ahead of which a bucket is fetched into cache.
constexpr std::size_t kPrefetch = 16;
/// Cost of a bucket in additions: about 2 to sum it up at the end, and its first touch.
constexpr double kBucketCost = 5;
/// Buckets that one task should have at least, for large batches with few conflicts.
constexpr std::size_t kTaskBuckets = 4096;
/// Tasks that each thread should have at least, so that none waits long for the last.
constexpr std::size_t kTasksAThread = 4;
/// Below this, the sum of a window's buckets is taken one addition at a time.
constexpr std::size_t kBatchedSumMinimum = 256;

/// Wider windows save additions but miss the caches: measured slower at 2^22.
constexpr unsigned kMaxWindow = 16;

/// Additions for `length` full-size scalars in windows of c bits, each with 2^(c-1) buckets.
double additions(double length, unsigned c) {
  return signed_windows(c) * (length + kBucketCost * static_cast<double>(1U << (c - 1)));
}

/// c with the least work.
unsigned choose_window(double length) {
  unsigned best = 2;
  for (unsigned c = 3; c <= kMaxWindow; ++c) {
    if (additions(length, c) < additions(length, best)) best = c;
  }
  return best;
}

/// The bits of all scalars but 0, 1 and -1, in full-size scalars; from a sample where there are many.
double full_size_equivalents(std::span<const Fr> scalars) {
  constexpr std::size_t kSample = 4096;
  const std::size_t looks = std::min(scalars.size(), kSample);
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < looks; ++k) {
    // Multiples of 2^64 / golden ratio are spread evenly and follow no pattern of the scalars.
    const std::size_t i = scalars.size() <= kSample ? k : k * 0x9e3779b97f4a7c15ULL % scalars.size();
    const unsigned length = SignedScalar(scalars[i]).bits();
    bits += length > 1 ? length : 0;
  }
  const double seen = static_cast<double>(std::max<std::size_t>(looks, 1));
  return static_cast<double>(bits) / Fr::kBits * static_cast<double>(scalars.size()) / seen;
}

/// Pippenger's method over blocks of points.
template <class Kernel>
class Pippenger {
 public:
  using Point = typename Kernel::Point;
  using Affine = typename Kernel::Affine;
  using Stored = typename Kernel::Stored;

  Pippenger(double length, const Executor& exec)
      : exec_(exec),
        c_(choose_window(length)),
        windows_(signed_windows(c_)),
        buckets_(std::size_t{windows_} << (c_ - 1)) {
    make_tasks();
  }

  /// `points(indices, out)` brings the points of some indices; it is called from several threads.
  template <class Points>
  void add(const Selection& selected, const Points& points) {
    load(selected, points);
    add_ones(selected);
    if (!selected.others.empty()) add_to_buckets(selected);
  }

  /// The sum of all. To be called once, at the end.
  Point result() {
    std::vector<Point> sums(windows_);
    exec_.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w)
        sums[w] = weighted_sum(buckets_.span().subspan(w * window_size(), window_size()));
    });
    Point total = sums[windows_ - 1];
    for (unsigned w = windows_ - 1; w-- > 0;) {
      for (unsigned i = 0; i < c_; ++i) total = total.doubled();
      total += sums[w];
    }
    return total + ones_sum_;
  }

 private:
  std::size_t window_size() const { return std::size_t{1} << (c_ - 1); }

  /// Either some whole windows or a part of one.
  struct Task {
    unsigned first_window, num_windows;
    std::uint32_t first_bucket, num_buckets;  ///< of each window
  };

  void make_tasks() {
    const std::size_t threads = exec_.threads();
    const auto size = static_cast<std::uint32_t>(window_size());
    if (size < kTaskBuckets) {
      const std::size_t share = (windows_ + threads - 1) / threads;
      const auto together = static_cast<unsigned>(std::min(kTaskBuckets / size, share));
      for (unsigned w = 0; w < windows_; w += together)
        tasks_.push_back({w, std::min(together, windows_ - w), 0, size});
      return;
    }
    // Whole windows, where there are enough of them to keep all threads busy: a part has to pass over the others'
    // digits.
    const std::size_t wanted = std::bit_ceil((threads * kTasksAThread + windows_ - 1) / windows_);
    const auto parts = static_cast<std::uint32_t>(std::min(size / kTaskBuckets, wanted));
    for (unsigned w = 0; w < windows_; ++w)
      for (std::uint32_t part = 0; part < parts; ++part) tasks_.push_back({w, 1, size / parts * part, size / parts});
  }

  /// Takes the points, those of scalar -1 negated.
  template <class Points>
  void load(const Selection& selected, const Points& points) {
    const std::span<const std::uint32_t> indices = selected.indices;
    if (loaded_.size() < indices.size()) loaded_.resize(indices.size());
    exec_.parallel_for(indices.size(), 1 << 10, [&](std::size_t begin, std::size_t end) {
      std::array<Affine, 64> some;
      for (std::size_t start = begin; start < end; start += some.size()) {
        const std::size_t count = std::min(some.size(), end - start);
        points(indices.subspan(start, count), std::span(some).first(count));
        for (std::size_t i = std::max(start, selected.first_negative_one);
             i < std::min(start + count, selected.num_ones); ++i)
          some[i - start] = -some[i - start];
        Kernel::load(std::span<const Affine>(some).first(count), std::span(loaded_).subspan(start, count));
      }
    });
  }

  void add_ones(const Selection& selected) {
    std::mutex mutex;
    exec_.parallel_for(selected.num_ones, kOnesChunk, [&](std::size_t begin, std::size_t end) {
      const Point sum = sum_of(std::span(loaded_).subspan(begin, end - begin));
      const std::lock_guard lock(mutex);
      ones_sum_ += sum;
    });
  }

  void add_to_buckets(const Selection& selected) {
    const std::size_t n = selected.others.size();
    // An odd number of cache lines a window, lest all windows' digits of a point fall into one cache set.
    const std::size_t stride = ((n + 15) / 16 | 1) * 16;
    if (digits_.size() < windows_ * stride) digits_.resize(windows_ * stride);
    exec_.parallel_for(n, 1 << 10, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const SignedScalar scalar(selected.others[i]);
        signed_digits(scalar.limbs, c_, windows_, [&](unsigned w, std::int32_t digit) {
          digits_[w * stride + i] = scalar.negative ? -digit : digit;
        });
      }
    });
    exec_.parallel_for(tasks_.size(), 1, [&](std::size_t begin, std::size_t end) {
      BucketAdder<Kernel>& adder = bucket_adders_.local();
      for (std::size_t t = begin; t < end; ++t) {
        const Task& task = tasks_[t];
        const std::size_t first = task.first_window * window_size() + task.first_bucket;
        adder.begin(buckets_.span().subspan(first, task.num_windows * std::size_t{task.num_buckets}),
                    std::span<const Stored>(loaded_).subspan(selected.num_ones, n));
        for (unsigned w = 0; w < task.num_windows; ++w)
          add_digits({&digits_[(task.first_window + w) * stride], n}, task, w * task.num_buckets, adder);
        adder.finish();
      }
    });
  }

  /// Adds the points whose digits in one window meet the task's buckets. Those begin at `base` among all of the task.
  void add_digits(std::span<const std::int32_t> digits, const Task& task, std::uint32_t base,
                  BucketAdder<Kernel>& adder) {
    const Stored* const buckets = &buckets_[task.first_window * window_size() + task.first_bucket + base];
    // Digit 0 has no bucket: it becomes a number beyond all.
    const auto bucket_of = [&](std::size_t i) {
      return static_cast<std::uint32_t>(std::abs(digits[i])) - 1 - task.first_bucket;
    };
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (i + kPrefetch < digits.size()) {
        const std::uint32_t ahead = bucket_of(i + kPrefetch);
        if (ahead < task.num_buckets) prefetch(buckets[ahead]);
      }
      const std::uint32_t bucket = bucket_of(i);
      if (bucket < task.num_buckets) adder.add({base + bucket, static_cast<std::uint32_t>(i), digits[i] < 0});
    }
  }

  Point sum_of(std::span<Stored> points) {
    const Stored stored = sum_in_place(points, adders_.local());
    Affine sum;
    Kernel::unload(std::span(&stored, 1), std::span(&sum, 1));
    return Point(sum);
  }

  /// Sum of (k + 1) * buckets[k], which are overwritten. The buckets are cut into segments, and suffix sums taken in
  /// all segments side by side. What is missing then is each segment's sum times its distance from the first bucket.
  Point weighted_sum(std::span<Stored> buckets) {
    const std::size_t segments =
        buckets.size() < kBatchedSumMinimum ? buckets.size() : std::size_t{1} << ((c_ + 1) / 2);
    const std::size_t length = buckets.size() / segments;
    typename Kernel::Adder& adder = adders_.local();
    for (std::size_t k = length - 1; k-- > 0;) {
      for (std::size_t s = 0; s < segments; ++s) {
        if (adder.full()) adder.flush();
        adder.add(&buckets[s * length + k], buckets[s * length + k + 1], false);
      }
      adder.flush();
    }
    std::vector<Stored> firsts(segments);
    for (std::size_t s = 0; s < segments; ++s) firsts[s] = buckets[s * length];
    std::vector<Affine> sums(segments);
    Kernel::unload(firsts, sums);
    Point running, distant;
    for (std::size_t s = segments; s-- > 1;) {
      running += sums[s];
      distant += running;
    }
    for (std::size_t k = 1; k < length; k *= 2) distant = distant.doubled();
    if (length > 1) return distant + sum_of(buckets);
    running += sums[0];
    return distant + running;
  }

  const Executor& exec_;
  unsigned c_;
  unsigned windows_;
  LargeArray<Stored> buckets_;
  std::vector<Task> tasks_;
  std::vector<Stored> loaded_;        ///< the selected points
  std::vector<std::int32_t> digits_;  ///< by window, then point
  Point ones_sum_;
  tbb::enumerable_thread_specific<BucketAdder<Kernel>> bucket_adders_;
  tbb::enumerable_thread_specific<typename Kernel::Adder> adders_{BucketAdder<Kernel>::kBatch};
};

/// Points of a query by their indices, however they are kept.
template <class Affine>
auto points_of_span(std::span<const Affine> points) {
  return [points](std::span<const std::uint32_t> indices, std::span<Affine> out) {
    for (std::size_t k = 0; k < indices.size(); ++k) out[k] = points[indices[k]];
  };
}

void require_countable(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) throw Error("msm: more than 2^32 - 1 points");
}

template <class Point, class Points>
Point msm_of_elements(std::span<const Fr> scalars, const Points& points, const Executor& exec) {
  require_countable(scalars.size());
  return with_point_kernel<Point>([&](auto kernel) {
    Pippenger<decltype(kernel)> sum(full_size_equivalents(scalars), exec);
    Selection selected;
    for (std::size_t begin = 0; begin < scalars.size(); begin += kBlock) {
      select_elements(scalars, begin, std::min(begin + kBlock, scalars.size()), selected);
      sum.add(selected, points);
    }
    return sum.result();
  });
}

template <class Point, class Points>
Point msm_of_pieces(const ScalarSource& scalars, std::size_t max_fields, const Points& points, const Executor& exec) {
  return with_point_kernel<Point>([&](auto kernel) {
    Pippenger<decltype(kernel)> sum(static_cast<double>(max_fields), exec);
    std::size_t offset = 0;
    for (CompactScalars piece; scalars(piece); offset += piece.size) {
      require_countable(offset + piece.size);
      CompactSelector selector(piece, kOnesBlock, kBlock);
      for (Selection selected; selector.next(selected);) {
        for (std::uint32_t& index : selected.indices) index += static_cast<std::uint32_t>(offset);
        sum.add(selected, points);
      }
    }
    return sum.result();
  });
}

}  // namespace

G1 msm(std::span<const G1Affine> points, std::span<const Fr> scalars, const Executor& exec) {
  return msm_of_elements<G1>(scalars, points_of_span(points), exec);
}
G2 msm(std::span<const G2Affine> points, std::span<const Fr> scalars, const Executor& exec) {
  return msm_of_elements<G2>(scalars, points_of_span(points), exec);
}
G1 msm(const PointReader<G1Affine>& reader, std::span<const Fr> scalars, const Executor& exec) {
  return msm_of_elements<G1>(scalars, reader, exec);
}
G2 msm(const PointReader<G2Affine>& reader, std::span<const Fr> scalars, const Executor& exec) {
  return msm_of_elements<G2>(scalars, reader, exec);
}
G1 msm(const PointReader<G1Affine>& reader, const ScalarSource& scalars, std::size_t max_fields, const Executor& exec) {
  return msm_of_pieces<G1>(scalars, max_fields, reader, exec);
}
G2 msm(const PointReader<G2Affine>& reader, const ScalarSource& scalars, std::size_t max_fields, const Executor& exec) {
  return msm_of_pieces<G2>(scalars, max_fields, reader, exec);
}

template <class Affine>
std::uint64_t msm_scratch_bytes(std::size_t length, const Executor& exec) {
  // A point at hand, or in a bucket, is stored for the lanes, which takes up to a third more than its limbs.
  constexpr std::uint64_t kPoint = sizeof(Affine) * 4 / 3;
  const unsigned c = choose_window(static_cast<double>(length));
  const std::uint64_t windows = signed_windows(c);
  const std::uint64_t buckets = (windows << (c - 1)) * kPoint;
  const std::uint64_t blocks = (kBlock + kOnesBlock) * (kPoint + sizeof(Fr)) + windows * kBlock * sizeof(std::int32_t);
  const std::uint64_t adders = exec.threads() * std::uint64_t{4096} * 4 * kPoint;
  return buckets + blocks + adders;
}

template std::uint64_t msm_scratch_bytes<G1Affine>(std::size_t, const Executor&);
template std::uint64_t msm_scratch_bytes<G2Affine>(std::size_t, const Executor&);

double msm_additions(std::size_t length) {
  const auto count = static_cast<double>(length);
  return additions(count, choose_window(count));
}

}  // namespace proofline::math
