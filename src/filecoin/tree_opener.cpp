#include "filecoin/tree_opener.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

/// The level of a path on which node `index` stands; `sibling(i)` is the node at i on the same row.
template <class Sibling>
PathElement level(std::uint64_t index, unsigned arity, const Sibling& sibling) {
  PathElement out;
  out.index = static_cast<unsigned>(index % arity);
  const std::uint64_t first = index - out.index;
  for (unsigned i = 0; i < arity; ++i) {
    if (i != out.index) out.siblings.push_back(node_to_fr(sibling(first + i), "Merkle tree node"));
  }
  return out;
}

}  // namespace

TreeOpener::TreeOpener(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, unsigned first_row,
                       std::vector<StoredBaseTree> base_trees)
    : hash_(hash),
      shape_(shape),
      rows_(base_tree_rows(shape, nodes)),
      first_row_(first_row),
      base_trees_(std::move(base_trees)) {
  if (base_trees_.size() != base_tree_count(shape) || first_row_ == 0 || first_row_ >= rows_.count()) {
    throw InputError("Merkle tree: " + std::to_string(base_trees_.size()) + " base trees from row " +
                     std::to_string(first_row_) + "; expected " + std::to_string(base_tree_count(shape)) +
                     " from a row between 1 and " + std::to_string(rows_.count() - 1));
  }
  std::vector<Node>& roots = joined_.emplace_back();
  for (const StoredBaseTree& tree : base_trees_) {
    const std::uint64_t stored = rows_.total() - rows_.row_offset(first_row_);
    if (tree.leaves.size() != rows_.row_size(0) || tree.upper.size() != stored) {
      throw InputError("Merkle tree: " + std::to_string(tree.leaves.size()) + " leaves and " +
                       std::to_string(tree.upper.size()) + " nodes above them; expected " +
                       std::to_string(rows_.row_size(0)) + " and " + std::to_string(stored));
    }
    roots.push_back(tree.upper.back());
  }
  for (const unsigned arity : {shape.sub, shape.top}) {
    if (arity == 0) continue;
    std::vector<Node> next;
    for (std::size_t i = 0; i < joined_.back().size(); i += arity) {
      next.push_back(poseidon_parent(std::span(joined_.back()).subspan(i, arity)));
    }
    joined_.push_back(std::move(next));
  }
}

Node TreeOpener::node(const StoredBaseTree& tree, unsigned row, std::uint64_t index) const {
  if (row == 0) return tree.leaves[index];
  if (row >= first_row_) return tree.upper[rows_.row_offset(row) - rows_.row_offset(first_row_) + index];
  std::vector<Node> children;
  for (unsigned i = 0; i < rows_.arity(); ++i) children.push_back(node(tree, row - 1, index * rows_.arity() + i));
  return parent_node(hash_, children);
}

MerkleProof TreeOpener::open(std::uint64_t leaf) const {
  const std::uint64_t leaves_each = rows_.row_size(0);
  if (leaf / leaves_each >= base_trees_.size()) {
    throw InputError("Merkle tree: leaf " + std::to_string(leaf) + " of a tree with " +
                     std::to_string(leaves_each * base_trees_.size()));
  }
  const StoredBaseTree& tree = base_trees_[leaf / leaves_each];
  std::uint64_t index = leaf % leaves_each;
  MerkleProof out;
  out.root = node_to_fr(root(), "Merkle tree root");
  out.leaf = node_to_fr(tree.leaves[index], "Merkle tree leaf");
  for (unsigned row = 0; row + 1 < rows_.count(); ++row, index /= rows_.arity()) {
    out.path.push_back(level(index, rows_.arity(), [&](std::uint64_t i) { return node(tree, row, i); }));
  }
  index = leaf / leaves_each;
  std::size_t row = 0;
  for (const unsigned arity : {shape_.sub, shape_.top}) {
    if (arity == 0) continue;
    const std::vector<Node>& nodes = joined_[row++];
    out.path.push_back(level(index, arity, [&](std::uint64_t i) { return nodes[i]; }));
    index /= arity;
  }
  return out;
}

}  // namespace proofline::filecoin
