#pragma once
/// From scalars to lists of points: signed digits, sorted into buckets, and the pairs of each round of additions. The
/// same for G1 and G2. Everything is enqueued on the stream. Plain C++.
#include <cstdint>
#include <span>

#include "device/cuda/bucket_sort.hpp"
#include "device/cuda/msm.hpp"
#include "device/cuda/stream.hpp"

namespace proofline::cuda {

/// In references: no point, and the flag of the opposite point.
constexpr std::uint32_t kNoPoint = 0xffffffff, kNegated = 0x80000000;

/// Two summands; `right` is kNoPoint for a point without a partner.
struct PairReference {
  std::uint32_t left, right;
};

/// The lists of one set. List b of `offsets` is [offsets[b], offsets[b + 1]), the total at offsets[buckets].
struct BucketLists {
  std::uint32_t buckets = 0;
  std::size_t items = 0;  ///< no more than so many in all lists
  Pairs pairs;            ///< bucket and reference of each item, by bucket
  std::span<std::uint32_t> offsets[2];
  int current = 0;
  std::span<PairReference> references;
  std::span<std::byte> scratch;

  const std::uint32_t* begin() const { return offsets[current].data(); }
};

/// out[j * n + i]: 32 bits j of scalar i, with half of each window added so that digits need no carries.
void shift_scalars(const MsmPlan& plan, std::span<const math::Fr> scalars, std::uint32_t* out, Stream stream);

/// Makes the lists of set s.
void make_lists(const MsmPlan& plan, unsigned s, const std::uint32_t* shifted, BucketLists& lists, Stream stream);

/// Pairs neighbours: fills lists.references, and lists becomes those of the sums. `first` says that items are the
/// points themselves, else they are sums in the order of the lists.
void pair_neighbours(BucketLists& lists, bool first, Stream stream);

}  // namespace proofline::cuda
