#pragma once
/// Poseidon in a circuit, with the variables and rows of neptune's `circuit` module: three rows an
/// S-box, one more where its input is a combination, the tag's first S-box folded into constants.
#include <span>

#include "gadgets/number.hpp"
#include "math/poseidon.hpp"

namespace proofline::gadgets {

/// The digest of constants.arity numbers.
Number poseidon(Builder& cs, const math::PoseidonConstants& constants, std::span<const Number> preimage);

}  // namespace proofline::gadgets
