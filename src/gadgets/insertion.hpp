#pragma once
/// Putting a node among its siblings at a position given by bits.
/// Source: rust-fil-proofs' insertion gadget, with its hand-made forms for 2, 4 and 8.
#include <span>
#include <vector>

#include "gadgets/number.hpp"

namespace proofline::gadgets {

/// `element` inserted into `others` (1, 3 or 7 of them) at the index whose bits, least significant
/// first, are `index_bits` (plain variables). Returns 2, 4 or 8 fresh numbers.
std::vector<Number> insert(Builder& cs, const Number& element, std::span<const Boolean> index_bits,
                           std::span<const Number> others);

}  // namespace proofline::gadgets
