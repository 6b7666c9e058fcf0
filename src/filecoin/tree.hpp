#pragma once
/// Merkle trees of a sector. A tree of shape base-sub-top is sub * top base trees of arity `base`, kept
/// one a file, whose roots are joined by one level of arity `sub` and one of arity `top`.
#include <cstdint>
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// Where the rows of a base tree are: leaves first, root last, without gaps.
class TreeRows {
 public:
  /// Throws InputError unless `leaves` is a power of `arity` (leaves >= arity >= 2).
  TreeRows(unsigned arity, std::uint64_t leaves);

  unsigned arity() const { return arity_; }
  /// Rows including leaves and root.
  unsigned count() const { return static_cast<unsigned>(offsets_.size() - 1); }
  /// First node of a row, in nodes; row_offset(count()) is the number of all nodes.
  std::uint64_t row_offset(unsigned row) const { return offsets_[row]; }
  std::uint64_t row_size(unsigned row) const { return offsets_[row + 1] - offsets_[row]; }
  std::uint64_t total() const { return offsets_.back(); }

 private:
  unsigned arity_;
  std::vector<std::uint64_t> offsets_;
};

/// Number of base trees: sub * top, counting an absent level as 1.
unsigned base_tree_count(const TreeShape& shape);
/// Rows of each base tree of a sector with `nodes` nodes. Throws InputError when the shape does not fit.
TreeRows base_tree_rows(const TreeShape& shape, std::uint64_t nodes);

/// One row from the row below it: parents[i] is the parent of the i-th `arity` nodes of `children`.
void fill_row(TreeHash hash, unsigned arity, std::span<const Node> children, std::span<Node> parents,
              const Executor& exec);

/// Hashes the leaves up to the root into `upper`: all rows but the leaves, so that
/// upper.size() == rows.total() - rows.row_size(0) and upper.back() is the root. In a file that keeps the
/// leaves, `upper` is what follows them. Throws InputError when a size is wrong.
void fill_rows(TreeHash hash, const TreeRows& rows, std::span<const Node> leaves, std::span<Node> upper,
               const Executor& exec, Progress& progress, std::string_view stage);

/// The root of the whole tree from the roots of its base trees, in order. Poseidon.
Node join_base_roots(const TreeShape& shape, std::span<const Node> base_roots);

/// The root over `leaves`, without keeping its rows. Throws InputError when the shape does not fit.
Node tree_root(TreeHash hash, const TreeShape& shape, std::span<const Node> leaves, const Executor& exec);

/// How many of the rows next above the leaves the reference leaves out of tree_r_last's files, where the
/// leaves are left out too (they are the replica): 2, or fewer in small trees.
unsigned discarded_rows(const TreeRows& rows);

}  // namespace proofline::filecoin
