#pragma once
/// Merkle proofs inside bincode vanilla proofs, as rust-fil-proofs' MerkleProof
/// (storage-proofs-core/src/merkle/proof.rs): variant 0 Single {root, leaf, path}, 1 Sub {base_proof, sub_proof, root,
/// leaf}, 2 Top {base_proof, sub_proof, top_proof, root, leaf}; a path is a vector of {hashes: vector of 32 bytes,
/// index: u64}.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bincode.hpp"
#include "filecoin/sector_shape.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// 32 bytes that must be a canonical field element.
math::Fr read_element(BincodeReader& in, std::string_view what);
void append_element(std::vector<std::uint8_t>& out, const math::Fr& value);

/// A proof in a tree of `shape` over `leaves` leaves: its variant, number of levels, siblings a level and indices are
/// those of the tree, otherwise InputError naming `what`. No hash is computed.
MerkleProof read_merkle_proof(BincodeReader& in, const TreeShape& shape, std::uint64_t leaves, std::string_view what);
/// `proof` has the shape's levels.
void append_merkle_proof(std::vector<std::uint8_t>& out, const MerkleProof& proof, const TreeShape& shape);

}  // namespace proofline::filecoin
