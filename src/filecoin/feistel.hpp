#pragma once
/// The keyed permutation behind the expander parents: a three-round Feistel network over BLAKE2b.
#include <array>
#include <cstdint>

namespace proofline::filecoin {

/// A permutation of [0, elements). Works on the smallest even number of bits that holds `elements`
/// and walks the cycle until it lands inside. Source: Filecoin specification, Stacked DRG, Feistel.
class FeistelPermutation {
 public:
  /// Of four derived keys the first three are used. Throws InputError when elements is 0 or above 2^62.
  FeistelPermutation(std::uint64_t elements, const std::array<std::uint64_t, 4>& keys);

  /// Precondition: index < elements.
  std::uint64_t operator()(std::uint64_t index) const;
  /// The index that maps to `image`. Precondition: image < elements.
  std::uint64_t inverse(std::uint64_t image) const;

 private:
  std::uint64_t elements_;
  std::array<std::uint64_t, 4> keys_;
  unsigned half_bits_;
  std::uint64_t mask_;
};

/// The round function before masking: the first 8 bytes, big-endian, of
/// BLAKE2b-512(be64(right) || be64(key)).
std::uint64_t feistel_round(std::uint64_t right, std::uint64_t key);

}  // namespace proofline::filecoin
