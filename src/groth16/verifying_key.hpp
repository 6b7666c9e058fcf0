#pragma once
/// Groth16 verifying keys in bellperson's layout.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "math/curve.hpp"

namespace proofline::groth16 {

struct VerifyingKey {
  math::G1Affine alpha_g1, beta_g1;
  math::G2Affine beta_g2, gamma_g2;
  math::G1Affine delta_g1;
  math::G2Affine delta_g2;
  std::vector<math::G1Affine> ic;  ///< one point a public input, the first for ONE

  std::size_t num_inputs() const { return ic.size(); }
  bool operator==(const VerifyingKey&) const = default;

  /// alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, u32 BE count, ic; all points uncompressed.
  std::vector<std::uint8_t> to_bytes() const;
  /// Reads a key from the front of `bytes` and moves `bytes` past it. All points must be in the subgroup
  /// and none may be infinity. Throws InputError beginning with `name`.
  static VerifyingKey read(std::span<const std::uint8_t>& bytes, std::string_view name);
};

/// A `.vk` file: exactly one key. Throws InputError or IoError.
VerifyingKey read_verifying_key(const std::filesystem::path& path);
void write_verifying_key(const VerifyingKey& key, const std::filesystem::path& path);

}  // namespace proofline::groth16
