#pragma once
/// Additions of points into buckets in any order, grouped into batches that share one inversion.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace proofline::math {

/// buckets[bucket] += points[point], or -= where `negate` is set.
struct BucketEntry {
  std::uint32_t bucket;
  std::uint32_t point;
  bool negate;
};

/// A batch takes each bucket once; further additions to it are delayed, and made in later batches. Reusable: one
/// object serves one array of buckets after another. `Kernel` as in point_kernels.hpp.
template <class Kernel>
class BucketAdder {
 public:
  using Stored = typename Kernel::Stored;

  /// Additions that share one inversion (about 100 products).
  static constexpr std::size_t kBatch = 512;

  BucketAdder() : adder_(kBatch) {}

  /// Goes over to other buckets and points, which stay in place until finish().
  void begin(std::span<Stored> buckets, std::span<const Stored> points) {
    buckets_ = buckets;
    points_ = points;
    if (stamps_.size() < buckets.size()) stamps_.resize(buckets.size(), 0);
    // Few conflicts a batch, also where there are few buckets.
    limit_ = std::clamp<std::size_t>(buckets.size() / 8, 1, kBatch);
  }

  void add(const BucketEntry& entry) {
    std::uint32_t& stamp = stamps_[entry.bucket];
    if (stamp == batch_) {
      delayed_.push_back(entry);
      if (delayed_.size() >= kDelayed) add_delayed();
      return;
    }
    stamp = batch_;
    adder_.add(&buckets_[entry.bucket], points_[entry.point], entry.negate);
    if (adder_.size() >= limit_) next_batch();
  }

  /// Does everything pending.
  void finish() {
    next_batch();
    while (!delayed_.empty()) add_delayed();
  }

 private:
  static constexpr std::size_t kDelayed = 2048;

  void add_delayed() {
    next_batch();
    waiting_.clear();
    waiting_.swap(delayed_);
    for (const BucketEntry& entry : waiting_) add(entry);
    next_batch();
    // Some buckets are crowded: another try would make small batches.
    if (delayed_.size() > waiting_.size() / 2) add_crowded();
  }

  /// Delayed points of the same bucket are first added among themselves, in pairs.
  void add_crowded() {
    std::sort(delayed_.begin(), delayed_.end(),
              [](const BucketEntry& a, const BucketEntry& b) { return a.bucket < b.bucket; });
    struct Group {
      std::size_t begin, size;
    };
    std::vector<Group> groups;
    sums_.clear();
    sums_.reserve(delayed_.size());
    for (std::size_t i = 0; i < delayed_.size(); ++i) {
      sums_.push_back(delayed_[i].negate ? -points_[delayed_[i].point] : points_[delayed_[i].point]);
      if (i == 0 || delayed_[i].bucket != delayed_[i - 1].bucket) groups.push_back({i, 0});
      ++groups.back().size;
    }
    for (bool again = true; again;) {
      again = false;
      for (Group& group : groups) {
        const std::size_t half = (group.size + 1) / 2;
        for (std::size_t i = half; i < group.size; ++i) push(&sums_[group.begin + i - half], sums_[group.begin + i]);
        group.size = half;
        again = again || half > 1;
      }
      adder_.flush();
    }
    for (const Group& group : groups) push(&buckets_[delayed_[group.begin].bucket], sums_[group.begin]);
    delayed_.clear();
    next_batch();
  }

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
  std::vector<std::uint32_t> stamps_;  ///< by bucket: the last batch that took it
  std::uint32_t batch_ = 1;
  std::size_t limit_ = 1;
  typename Kernel::Adder adder_;
  std::vector<BucketEntry> delayed_, waiting_;
  std::vector<Stored> sums_;
};

}  // namespace proofline::math
