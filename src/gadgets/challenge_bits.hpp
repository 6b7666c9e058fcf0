#pragma once
/// Challenges of a sector update as the circuit derives them: bits of Poseidon digests, and their high bits.
/// Source: FIP-0019; rust-fil-proofs storage-proofs-update, gadgets.
#include <span>
#include <vector>

#include "gadgets/number.hpp"
#include "math/poseidon.hpp"

namespace proofline::gadgets {

/// `count` challenges of `bits_each` bits, least significant first. A digest is the Poseidon hash, under `constants`
/// (arity 2), of `seed` and of partition * (digests a partition) + j; it gives as many challenges as fit 254 bits.
std::vector<std::vector<Boolean>> challenge_bits(Builder& cs, const math::PoseidonConstants& constants,
                                                 const Number& seed, const Number& partition, std::size_t count,
                                                 std::size_t bits_each);

/// The number that the highest widths[i] of `bits` make, where i is the one bit set in `selector`; both have the same
/// length. Two variables and two rows a width, one of each for the sum.
Number selected_high_bits(Builder& cs, std::span<const Boolean> bits, std::span<const Boolean> selector,
                          std::span<const unsigned> widths);

}  // namespace proofline::gadgets
