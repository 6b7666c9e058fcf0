#pragma once
/// Groth16 proofs and their 192-byte form.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "math/curve.hpp"

namespace proofline::groth16 {

struct Proof {
  static constexpr std::size_t kBytes = 192;

  math::G1Affine a;
  math::G2Affine b;
  math::G1Affine c;
  bool operator==(const Proof&) const = default;

  /// A (48), B (96) and C (48), compressed.
  std::array<std::uint8_t, kBytes> to_bytes() const;
  /// Throws InputError beginning with `name` when a point is malformed, off the curve, outside the
  /// subgroup or infinity.
  static Proof from_bytes(std::span<const std::uint8_t, kBytes> bytes, std::string_view name);
};

/// The proofs of several partitions, concatenated. Throws InputError when the length is not a positive
/// multiple of 192.
std::vector<Proof> proofs_from_bytes(std::span<const std::uint8_t> bytes, std::string_view name);
std::vector<std::uint8_t> proofs_to_bytes(std::span<const Proof> proofs);

}  // namespace proofline::groth16
