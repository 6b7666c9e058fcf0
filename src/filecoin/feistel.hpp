#pragma once
/// The keyed permutation behind the expander parents: a three-round Feistel network whose round function
/// is the first 8 bytes, big-endian, of BLAKE2b-512(be64(right half) || be64(key)), masked to a half.
#include <array>
#include <cstdint>
#include <span>

#include "filecoin/feistel_lanes.hpp"

namespace proofline::filecoin {

/// A permutation of [0, elements). Works on the smallest even number of bits that holds `elements`
/// and walks the cycle until it lands inside. Source: Filecoin specification, Stacked DRG, Feistel.
class FeistelPermutation {
 public:
  /// Of four derived keys the first three are used. Throws InputError when elements is 0 or above 2^62.
  FeistelPermutation(std::uint64_t elements, const std::array<std::uint64_t, 4>& keys);

  /// Replaces each index by its image. Precondition: all are below `elements`. Many at once (hundreds) cost
  /// least each.
  void permute(std::span<std::uint64_t> indices) const;

 private:
  std::uint64_t elements_;
  FeistelNetwork network_;
};

}  // namespace proofline::filecoin
