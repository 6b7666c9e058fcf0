#pragma once
/// Hashes of Merkle tree nodes. A node is 32 bytes: a field element, little-endian and canonical.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "filecoin/sector_shape.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

using Node = Bytes32;

enum class TreeHash { kSha256, kPoseidon };

/// Clears the top two bits, so that the little-endian integer is below the field's modulus.
inline Node truncate_to_field(Node node) {
  node[kNodeBytes - 1] &= 0x3f;
  return node;
}

/// SHA-256 of two nodes, truncated to 254 bits: tree_d and piece commitments.
Node sha256_parent(const Node& left, const Node& right);

/// Poseidon with the Merkle tag of as many nodes (2, 4, 8, 11 or 36): parents in tree_c and tree_r_last,
/// a column of labels, comm_r. Throws InputError when a node is not canonical.
Node poseidon_parent(std::span<const Node> children);

/// parents[i] = poseidon_parent of the i-th of parents.size() equal groups of children; faster for eight
/// and more. Throws InputError when the groups are not equal or a node is not canonical.
void poseidon_parents(std::span<const Node> children, std::span<Node> parents);

/// The parent of `children` under either hash (2 children for SHA-256).
Node parent_node(TreeHash hash, std::span<const Node> children);

/// 32 bytes as a field element. Throws InputError naming `what` when the integer is not below the modulus.
math::Fr node_to_fr(const Node& node, std::string_view what);

/// Its 32 bytes in hex, for messages and files.
std::string hex(const math::Fr& element);

/// A view of bytes as nodes. Throws InputError when the size is no multiple of 32.
std::span<const Node> as_nodes(std::span<const std::uint8_t> bytes);
std::span<Node> as_nodes(std::span<std::uint8_t> bytes);

}  // namespace proofline::filecoin
