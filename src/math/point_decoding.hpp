#pragma once
/// Decoding many uncompressed points at once.
#include <cstdint>
#include <span>

#include "math/curve.hpp"

namespace proofline::math {

/// out[k] = the point at `list` + indices[k] * kUncompressed. True when every point is canonical, on its curve and not
/// infinity; false when one is not, or this processor has no fast way: then `out` holds nothing of use, and
/// from_uncompressed tells what is wrong with which. Subgroups are not checked. About a sixth of the time of
/// from_uncompressed, with AVX-512 IFMA.
bool decode_points(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices, std::span<G1Affine> out);
bool decode_points(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices, std::span<G2Affine> out);

}  // namespace proofline::math
