#pragma once
/// Merkle proofs of sectors' trees as circuits take them.
#include "filecoin/vanilla_proof.hpp"
#include "gadgets/merkle.hpp"

namespace proofline::filecoin {

/// Enforces `proof`'s path from `leaf` to `root` in a scope `name` (a literal). The path's position becomes a public
/// input. The proof's own root and leaf are not looked at.
void enforce_inclusion(r1cs::Builder& cs, const char* name, gadgets::TreeHash hash, const MerkleProof& proof,
                       const gadgets::Number& root, const gadgets::Number& leaf);

/// A proof of zeros with the levels of a tree of `shape` over `leaves` leaves.
MerkleProof placeholder_path(const TreeShape& shape, std::uint64_t leaves);

}  // namespace proofline::filecoin
