#pragma once
/// Sums of multiples of points of BLS12-381 on the device. Plain C++. All data is in device memory in blst's forms: affine
/// points of 96 (G1) or 192 bytes (G2) with infinity as zeros, scalars as Fr in Montgomery form.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

/// How a sum over n points is done: signed digits of at most kMaxWidth bits in `windows` windows, buckets of a window
/// at `bucket_begin`, and `rounds` rounds in which neighbours in a bucket are added in pairs in affine form.
struct MsmPlan {
  static constexpr unsigned kMaxWindows = 64;
  static constexpr unsigned kMaxWidth = 23;
  std::size_t points = 0;
  unsigned windows = 0, rounds = 0;
  unsigned width[kMaxWindows] = {}, shift[kMaxWindows] = {};
  std::size_t bucket_begin[kMaxWindows + 1] = {};
};

/// The cheapest plan. Throws InputError for 2^30 points or more.
MsmPlan plan_msm(std::size_t points);

/// Device bytes that an arena for enqueue_msm() must have.
template <class Point>
std::size_t msm_device_bytes(const MsmPlan& plan);

/// Window sums in XYZZ form as the device leaves them: 4 coordinates a window.
template <class Point>
constexpr std::size_t kWindowSumBytes = 2 * sizeof(typename Point::Affine);

/// Enqueues the sum over i of scalars[i] * points[i]; `window_sums` (host memory, best pinned; plan.windows *
/// kWindowSumBytes bytes) is complete when the stream reaches this point. Any points of the curve and scalars below r.
/// Throws InputError when sizes or the arena do not fit, DeviceError when CUDA refuses.
template <class Point>
void enqueue_msm(const MsmPlan& plan, std::span<const typename Point::Affine> points, std::span<const math::Fr> scalars,
                 Arena arena, std::span<std::byte> window_sums, Stream stream);

/// The result from complete window sums.
template <class Point>
Point finish_msm(const MsmPlan& plan, std::span<const std::byte> window_sums);

}  // namespace proofline::cuda
