#pragma once
/// Poseidon where only values are wanted.
#include <span>

#include "gadgets/number.hpp"
#include "math/poseidon.hpp"

namespace proofline::gadgets {

/// Allocates what poseidon() allocates, in its order, without rows.
Number poseidon_values(Builder& cs, const math::PoseidonConstants& constants, std::span<const Number> preimage);

}  // namespace proofline::gadgets
