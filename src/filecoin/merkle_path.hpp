#pragma once
/// Walking Merkle paths from leaf to root.
#include <cstdint>
#include <span>

#include "filecoin/node_hash.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// The root that `path` leads to from `leaf`. On each level the running node goes in at `index` among its
/// siblings, and the parent is the Poseidon hash of all of them (Merkle tag of the level's arity), or for
/// tree_d the SHA-256 of both, truncated to 254 bits. Throws InputError naming the level when an index
/// exceeds its siblings or the hash has no such arity.
math::Fr path_root(TreeHash hash, const math::Fr& leaf, std::span<const PathElement> path);

/// The position among all leaves that the indices of `path` describe: the first level's index counts 1,
/// the next one's as many as the first level has children, and so on. Throws InputError when it exceeds
/// 64 bits.
std::uint64_t path_position(std::span<const PathElement> path);

}  // namespace proofline::filecoin
