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

/// Device bytes that an arena for enqueue_bit_sum() of so many points must have, whatever the bits.
template <class Point>
std::size_t bit_sum_device_bytes(std::size_t points);

/// Enqueues the sum of the points whose bit is set: bit i % 32 of bits[i / 32], in device memory; bits past the last
/// point must be zero. Only selected points are read. `sum` (host memory, best pinned) is complete when the stream
/// reaches this point. Throws InputError when sizes or the arena do not fit or there are 2^31 points or more,
/// DeviceError when CUDA refuses.
template <class Point>
void enqueue_bit_sum(std::span<const typename Point::Affine> points, std::span<const std::uint32_t> bits, Arena arena,
                     std::span<std::byte> sum, Stream stream);

/// The result from a complete sum.
template <class Point>
Point finish_bit_sum(std::span<const std::byte> sum);

}  // namespace proofline::cuda
