#pragma once
/// Sums of multiples of points of BLS12-381 on the device. Plain C++. All data is in device memory in blst's forms:
/// affine points of 96 (G1) or 192 bytes (G2) with infinity as zeros, scalars as Fr in Montgomery form.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

/// How a sum over n points is done. The scalar's bits are cut into `copies` parts of `copy_bits` bits, and each part
/// into the same windows of signed digits. Windows at the same place share one set of buckets, because copy c of the
/// points is 2^(c * copy_bits) times the first. In a set, neighbours in a bucket's list are added in pairs in `rounds`
/// rounds.
struct MsmPlan {
  static constexpr unsigned kMaxSets = 64;
  static constexpr unsigned kMaxWidth = 26;
  static constexpr unsigned kMaxCopies = 8;
  std::size_t points = 0;
  unsigned copies = 1, copy_bits = 256, sets = 0;
  unsigned width[kMaxSets] = {}, shift[kMaxSets] = {}, rounds[kMaxSets] = {};
  std::size_t bucket_begin[kMaxSets + 1] = {};

  /// Windows at set s: the number of parts that reach it below bit 256.
  unsigned windows(unsigned s) const {
    unsigned count = 0;
    while (count < copies && count * copy_bits + shift[s] < 256) ++count;
    return count;
  }
  /// Items in the largest set.
  std::size_t items() const { return points * copies; }
};

/// The cheapest plan for points of which `copies` multiples are at hand. Throws InputError when copies is not 1 to 8 or
/// copies * points is 2^30 or more.
MsmPlan plan_msm(std::size_t points, unsigned copies = 1);

/// Device bytes that an arena for enqueue_msm() must have.
template <class Point>
std::size_t msm_device_bytes(const MsmPlan& plan);

/// Sums of sets in XYZZ form as the device leaves them: 4 coordinates a set.
template <class Point>
constexpr std::size_t kSetSumBytes = 2 * sizeof(typename Point::Affine);

/// Enqueues the sum over i of scalars[i] * points[i]; `set_sums` (host memory, best pinned; plan.sets *
/// kSetSumBytes bytes) is complete when the stream reaches this point. Any points of the curve and scalars below r.
/// `points` has plan.copies * plan.points elements, copy after copy, as copy_points() leaves them.
/// Throws InputError when sizes or the arena do not fit, DeviceError when CUDA refuses.
template <class Point>
void enqueue_msm(const MsmPlan& plan, std::span<const typename Point::Affine> points, std::span<const math::Fr> scalars,
                 Arena arena, std::span<std::byte> set_sums, Stream stream);

/// The result from complete sums.
template <class Point>
Point finish_msm(const MsmPlan& plan, std::span<const std::byte> set_sums);

/// Enqueues the making of the copies of the plan: points[c * n + i] = 2^(c * copy_bits) * points[i] for c from 1 on.
/// Once a parameter file; 128 doublings a point for two copies. `points` as for enqueue_msm(), the first plan.points
/// filled.
template <class Point>
void copy_points(const MsmPlan& plan, std::span<typename Point::Affine> points, Arena arena, Stream stream);

/// Device bytes that an arena for copy_points() must have.
template <class Point>
std::size_t copy_points_device_bytes();

}  // namespace proofline::cuda
