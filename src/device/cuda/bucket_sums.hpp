#pragma once
/// The weighted sum of a set's buckets on the device. Plain C++; everything is enqueued on the stream.
#include <cstdint>
#include <span>

#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/bucket_lists.hpp"
#include "device/cuda/stream.hpp"

namespace proofline::cuda {

/// Blocks that add the lists that are still longer than one point.
constexpr unsigned kLongListBlocks = 264;
/// Buckets that one thread adds up.
constexpr unsigned kBucketsOfThread = 64;

/// Memory of weighted_sums().
struct BucketSumScratch {
  std::span<std::byte> long_lists;            ///< 4 bytes for a count and each bucket of the largest set
  std::span<std::byte> parts, partial, sums;  ///< in XYZZ points: parts_of() a set, 32 a set, 1 a set
};

/// XYZZ points that each set gets in `parts`: what its threads and its long lists leave.
inline std::size_t parts_of(const MsmPlan& plan) {
  const std::size_t most = std::size_t{1} << (plan.width[0] - 1);
  return kLongListBlocks + (most + kBucketsOfThread - 1) / kBucketsOfThread;
}

/// The points of set s from lists of one: out[b] for each bucket, infinity for empty ones. Longer lists are added,
/// multiplied by their bucket's weight and put into the set's parts.
template <class Affine>
void collect_buckets(const MsmPlan& plan, unsigned s, const BucketLists& lists, PointView points,
                     BucketSumScratch scratch, Affine* out, Stream stream);

/// The sum over buckets b of (b + 1) * bucket of each set, in scratch.sums. `buckets` at plan.bucket_begin.
template <class Affine>
void weighted_sums(const MsmPlan& plan, const Affine* buckets, BucketSumScratch scratch, Stream stream);

}  // namespace proofline::cuda
