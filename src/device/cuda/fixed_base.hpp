#pragma once
/// Many multiples of one point on the device, as setup needs them. Plain C++.
///
/// Scalars are cut into 16 windows of 16 bits with signed digits. A thread adds one multiple a window in XYZZ form, 10
/// products each; the sums get their affine form with shared inversions. The table of G1 (48 MiB) stays in an H200's L2
/// cache.
#include <cstddef>
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

constexpr unsigned kFixedBaseBits = 16;
constexpr unsigned kFixedBaseWindows = 256 / kFixedBaseBits;
/// Multiples of a window: digits 1 to 2^15.
constexpr std::size_t kFixedBaseDigits = std::size_t{1} << (kFixedBaseBits - 1);
/// Points of a table.
constexpr std::size_t kFixedBaseMultiples = kFixedBaseWindows * kFixedBaseDigits;

/// multiples[w * 2^15 + d - 1] = d * 2^(16 w) * base, made on the host.
template <class Point>
std::vector<typename Point::Affine> fixed_base_table(const typename Point::Affine& base, const Executor& exec);

/// Device bytes that enqueue_multiples() takes from its arena, for any number of scalars. It leaves projective forms of
/// the points there, which tell about secret scalars.
template <class Point>
std::size_t fixed_base_device_bytes();

/// Enqueues out[i] = scalars[i] * base. All spans are device memory in blst's forms: scalars below r in Montgomery
/// form, infinity as zeros. `table` is a copy of fixed_base_table(). Throws InputError when sizes or the arena do not
/// fit, DeviceError when CUDA refuses.
template <class Point>
void enqueue_multiples(std::span<const typename Point::Affine> table, std::span<const math::Fr> scalars,
                       std::span<typename Point::Affine> out, Arena arena, Stream stream);

}  // namespace proofline::cuda
