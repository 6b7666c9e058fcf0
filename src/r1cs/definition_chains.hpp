#pragma once
/// Which derived variables of a template can be solved apart from each other.
#include <vector>

#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// The template's definitions in chains: no definition needs a variable that another chain defines, and each comes
/// after all that it needs. A chain cannot be cut any further. Longest chains first.
/// A Poseidon hash is one chain (524 definitions for 8 children, 262 of them one after another), because its digest is
/// stored: a Merkle path has as many chains as levels.
std::vector<std::vector<Definition>> definition_chains(const Template& t);

}  // namespace proofline::r1cs
