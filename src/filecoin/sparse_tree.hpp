#pragma once
/// Merkle trees nearly all of whose leaves are one and the same node. Only what differs is hashed and kept, so
/// that a tree over 2^31 leaves costs no more than the leaves that matter.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// A leaf that differs from the usual one.
struct SparseLeaf {
  std::uint64_t index = 0;
  Node value{};
};

class SparseTree {
 public:
  /// The tree of shape base-sub-top over `nodes` leaves, each of them `usual` except those in `leaves`. Progress
  /// counts rows. Throws InputError when the shape does not fit, when the indices in `leaves` do not ascend or
  /// are not below `nodes`, and when a node is no field element.
  SparseTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, const Node& usual,
             std::span<const SparseLeaf> leaves, const Executor& exec, Progress& progress, std::string_view stage);

  /// Of the whole tree.
  const Node& root() const { return rows_.back().at(0); }

  /// The path of one leaf, usual or not. Throws InputError when the leaf does not exist.
  MerkleProof open(std::uint64_t leaf) const;

 private:
  struct Row {
    unsigned arity = 0;  ///< children that a node of the row above has; 0 for the root
    Node usual{};
    std::vector<std::uint64_t> indices;  ///< of the nodes that differ, ascending
    std::vector<Node> nodes;

    const Node& at(std::uint64_t index) const;
  };

  static Row row_above(TreeHash hash, const Row& row, const Executor& exec);

  std::uint64_t nodes_;
  std::vector<Row> rows_;  ///< leaves first
};

}  // namespace proofline::filecoin
