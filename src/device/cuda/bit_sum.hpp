#pragma once
/// Sums of points of BLS12-381 selected by a bitmap, on the device. Plain C++. Points as in msm.hpp, in device memory.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

/// The sum in XYZZ form as the device leaves it.
template <class Point>
constexpr std::size_t kBitSumBytes = 2 * sizeof(typename Point::Affine);

/// Points that never change may be kept in groups of 1 (the points themselves), 2 or 4: for each group the sums of all
/// its subsets but the empty one, subset m (a bitmap of the group) at m - 1. Takes 1, 1.5 or 3.75 times the memory of
/// the points and leaves 0.5, 0.375 or 0.234 additions a point where half the bits are set.
constexpr std::size_t grouped_points(std::size_t points, unsigned group) {
  return (points + group - 1) / group * ((std::size_t{1} << group) - 1);
}

/// Device bytes that an arena for enqueue_bit_sum() of so many points must have, whatever the bits.
template <class Point>
std::size_t bit_sum_device_bytes(std::size_t points, unsigned group = 1);

/// Enqueues the sum of the points whose bit is set: bit i % 32 of bits[i / 32], in device memory; bits past the last
/// point must be zero. `groups` as group_points() leaves them; for group = 1 the points. Only selected points are read.
/// `sum` (host memory, best pinned) is complete when the stream reaches this point. Throws InputError when sizes or the
/// arena do not fit or there are 2^31 points or more, DeviceError when CUDA refuses.
template <class Point>
void enqueue_bit_sum(std::span<const typename Point::Affine> groups, std::size_t points, unsigned group,
                     std::span<const std::uint32_t> bits, Arena arena, std::span<std::byte> sum, Stream stream);

/// Enqueues the making of groups: out has grouped_points() elements. Once a parameter file.
template <class Point>
void group_points(std::span<const typename Point::Affine> points, unsigned group, std::span<typename Point::Affine> out,
                  Arena arena, Stream stream);

/// Device bytes that an arena for group_points() must have.
template <class Point>
std::size_t group_points_device_bytes();

/// The result from a complete sum.
template <class Point>
Point finish_bit_sum(std::span<const std::byte> sum);

}  // namespace proofline::cuda
