#pragma once
/// Merkle trees whose leaves come in equal runs of one node each. Only one node a run is hashed and kept, so that a
/// tree over 2^31 leaves costs no more than its runs.
#include <cstdint>
#include <vector>

#include "base/executor.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

class RunTree {
 public:
  /// The tree of shape base-sub-top over `nodes` leaves, of which leaf i is runs[i * runs.size() / nodes]. Arities and
  /// both numbers are powers of two. Throws InputError when they are not or do not fit, and when a node is no field
  /// element.
  RunTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, std::vector<Node> runs, const Executor& exec);

  /// Of the whole tree.
  const Node& root() const { return rows_.back().values.front(); }
  /// A node of a row, leaves being row 0. Precondition: it exists.
  const Node& at(unsigned row, std::uint64_t index) const { return rows_[row].values[index >> rows_[row].run_bits]; }
  /// The path of one leaf. Throws InputError when the leaf does not exist.
  MerkleProof open(std::uint64_t leaf) const;

 private:
  struct Row {
    unsigned arity = 0;     ///< children that a node of the row above has; 0 for the root
    unsigned run_bits = 0;  ///< nodes 2^run_bits * i and following are values[i]
    std::vector<Node> values;
  };

  static Row row_above(TreeHash hash, const Row& row, const Executor& exec);

  std::uint64_t nodes_;
  std::vector<Row> rows_;  ///< leaves first
};

}  // namespace proofline::filecoin
