#pragma once
/// Merkle inclusion at a position that the circuit computed, and the selection of one number by such bits.
/// Source: rust-fil-proofs' por_no_challenge_input and select gadgets.
#include "gadgets/merkle.hpp"

namespace proofline::gadgets {

/// Enforces that `leaf` lies under `root` at the position whose bits, least significant first, are `position` (plain
/// variables, as many as the path takes). `path` has the siblings of each level, leaf level first: arities 2, 4 or 8.
void enforce_inclusion_at(Builder& cs, TreeHash hash, std::span<const Boolean> position,
                          std::span<const std::vector<Number>> path, const Number& root, const Number& leaf);

/// The element of `from` at the index with these bits, least significant first; from.size() == 2^index_bits.size().
/// from.size() - 1 rows.
Number select(Builder& cs, std::span<const Number> from, std::span<const Boolean> index_bits);

}  // namespace proofline::gadgets
