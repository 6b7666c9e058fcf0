#pragma once
/// Merkle paths out of a sector's stored trees.
#include <cstdint>
#include <span>
#include <vector>

#include "filecoin/node_hash.hpp"
#include "filecoin/tree.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// What is stored of one base tree; borrowed. Rows between leaves and `upper` are computed when needed.
struct StoredBaseTree {
  std::span<const Node> leaves;
  std::span<const Node> upper;  ///< rows first_row to root, without gaps
};

/// Opens leaves of a whole tree: base trees joined by the levels sub and top.
class TreeOpener {
 public:
  /// `first_row` is the lowest row in `upper`, at least 1. Throws InputError when the number of base trees
  /// or nodes does not fit the shape.
  TreeOpener(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, unsigned first_row,
             std::vector<StoredBaseTree> base_trees);

  const Node& root() const { return joined_.back().front(); }

  /// The path of one leaf. Throws InputError when the leaf does not exist or a stored node is no field
  /// element. Costs the hashing of the subtrees that `upper` lacks (72 hashes when two rows of arity 8 are
  /// missing).
  MerkleProof open(std::uint64_t leaf) const;

 private:
  Node node(const StoredBaseTree& tree, unsigned row, std::uint64_t index) const;

  TreeHash hash_;
  TreeShape shape_;
  TreeRows rows_;
  unsigned first_row_;
  std::vector<StoredBaseTree> base_trees_;
  std::vector<std::vector<Node>> joined_;  ///< base roots, then the rows above them
};

}  // namespace proofline::filecoin
