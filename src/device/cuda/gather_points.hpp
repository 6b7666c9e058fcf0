#pragma once
/// Points of a list moved together. Plain C++.
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

/// Enqueues out[i] = points[places[i]], all in device memory; `out` is as long as `places` at least.
void gather_points(std::span<const math::G1Affine> points, std::span<const std::uint32_t> places,
                   std::span<math::G1Affine> out, Stream stream);
void gather_points(std::span<const math::G2Affine> points, std::span<const std::uint32_t> places,
                   std::span<math::G2Affine> out, Stream stream);

}  // namespace proofline::cuda
