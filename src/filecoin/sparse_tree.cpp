#include "filecoin/sparse_tree.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "filecoin/tree.hpp"

namespace proofline::filecoin {
namespace {

/// The arity of each level, leaf level first.
std::vector<unsigned> level_arities(const TreeShape& shape, std::uint64_t nodes) {
  std::vector<unsigned> out(path_shape(shape, nodes).base_levels, shape.base);
  for (const unsigned arity : {shape.sub, shape.top}) {
    if (arity != 0) out.push_back(arity);
  }
  return out;
}

void check_leaves(std::uint64_t nodes, const Node& usual, std::span<const SparseLeaf> leaves) {
  node_to_fr(usual, "Merkle tree: usual leaf");
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint64_t index = leaves[i].index;
    const std::string name = "Merkle tree: leaf " + std::to_string(index);
    if (index >= nodes) throw InputError(name + " of a tree of " + std::to_string(nodes) + " leaves");
    if (i > 0 && leaves[i - 1].index >= index) {
      throw InputError(name + " comes after leaf " + std::to_string(leaves[i - 1].index) +
                       "; expected ascending order");
    }
    node_to_fr(leaves[i].value, name);
  }
}

}  // namespace

const Node& SparseTree::Row::at(std::uint64_t index) const {
  const auto found = std::ranges::lower_bound(indices, index);
  if (found == indices.end() || *found != index) return usual;
  return nodes[static_cast<std::size_t>(found - indices.begin())];
}

SparseTree::Row SparseTree::row_above(TreeHash hash, const Row& row, const Executor& exec) {
  Row out;
  std::vector<Node> children;
  for (std::size_t i = 0; i < row.indices.size(); ++i) {
    const std::uint64_t parent = row.indices[i] / row.arity;
    if (out.indices.empty() || out.indices.back() != parent) {
      out.indices.push_back(parent);
      children.insert(children.end(), row.arity, row.usual);
    }
    children[children.size() - row.arity + row.indices[i] % row.arity] = row.nodes[i];
  }
  out.nodes.resize(out.indices.size());
  fill_row(hash, row.arity, children, out.nodes, exec);
  out.usual = parent_node(hash, std::vector<Node>(row.arity, row.usual));
  return out;
}

SparseTree::SparseTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, const Node& usual,
                       std::span<const SparseLeaf> leaves, const Executor& exec, Progress& progress,
                       std::string_view stage)
    : nodes_(nodes) {
  const std::vector<unsigned> arities = level_arities(shape, nodes);
  check_leaves(nodes, usual, leaves);
  Row& bottom = rows_.emplace_back();
  bottom.usual = usual;
  for (const SparseLeaf& leaf : leaves) {
    bottom.indices.push_back(leaf.index);
    bottom.nodes.push_back(leaf.value);
  }
  for (std::size_t level = 0; level < arities.size(); ++level) {
    rows_.back().arity = arities[level];
    rows_.push_back(row_above(hash, rows_.back(), exec));
    progress.report(stage, level + 1, arities.size());
  }
}

MerkleProof SparseTree::open(std::uint64_t leaf) const {
  if (leaf >= nodes_) {
    throw InputError("Merkle tree: leaf " + std::to_string(leaf) + " of a tree of " + std::to_string(nodes_) +
                     " leaves");
  }
  MerkleProof out{node_to_fr(root(), "root"), node_to_fr(rows_.front().at(leaf), "leaf"), {}};
  std::uint64_t index = leaf;
  for (const Row& row : std::span(rows_).first(rows_.size() - 1)) {
    const std::uint64_t position = index % row.arity;
    PathElement& element = out.path.emplace_back();
    element.index = static_cast<unsigned>(position);
    for (std::uint64_t i = 0; i < row.arity; ++i) {
      if (i != position) element.siblings.push_back(node_to_fr(row.at(index - position + i), "node"));
    }
    index /= row.arity;
  }
  return out;
}

}  // namespace proofline::filecoin
