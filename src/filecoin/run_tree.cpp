#include "filecoin/run_tree.hpp"

#include <bit>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {

RunTree::RunTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, std::vector<Node> runs,
                 const Executor& exec)
    : nodes_(nodes) {
  if (!std::has_single_bit(nodes) || !std::has_single_bit(runs.size()) || runs.size() > nodes) {
    throw InputError("Merkle tree: " + std::to_string(runs.size()) + " runs of " + std::to_string(nodes) +
                     " leaves; expected powers of two, and a leaf a run");
  }
  std::vector<unsigned> arities(path_shape(shape, nodes).base_levels, shape.base);
  if (shape.sub != 0) arities.push_back(shape.sub);
  if (shape.top != 0) arities.push_back(shape.top);
  Row row{0, static_cast<unsigned>(std::countr_zero(nodes / runs.size())), std::move(runs)};
  for (const unsigned arity : arities) {
    if (!std::has_single_bit(arity)) throw InputError("Merkle tree: arity " + std::to_string(arity) + " in runs");
    row.arity = arity;
    Row above = row_above(hash, row, exec);
    rows_.push_back(std::move(row));
    row = std::move(above);
  }
  rows_.push_back(std::move(row));
}

RunTree::Row RunTree::row_above(TreeHash hash, const Row& row, const Executor& exec) {
  constexpr std::size_t kGrain = 64;
  const auto arity_bits = static_cast<unsigned>(std::countr_zero(row.arity));
  Row out;
  out.run_bits = row.run_bits > arity_bits ? row.run_bits - arity_bits : 0;
  // A parent that takes children of several runs has a value of its own.
  const unsigned joined_bits = row.run_bits < arity_bits ? arity_bits - row.run_bits : 0;
  out.values.resize(row.values.size() >> joined_bits);
  exec.parallel_for(out.values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Node> children(row.arity);
    for (std::size_t i = begin; i < end; ++i) {
      for (unsigned child = 0; child < row.arity; ++child) {
        children[child] = row.values[(i << joined_bits) + (joined_bits == 0 ? 0 : child >> row.run_bits)];
      }
      out.values[i] = parent_node(hash, children);
    }
  });
  return out;
}

MerkleProof RunTree::open(std::uint64_t leaf) const {
  if (leaf >= nodes_) {
    throw InputError("Merkle tree: leaf " + std::to_string(leaf) + " of a tree with " + std::to_string(nodes_));
  }
  MerkleProof out;
  out.root = node_to_fr(root(), "Merkle tree root");
  out.leaf = node_to_fr(at(0, leaf), "Merkle tree leaf");
  std::uint64_t index = leaf;
  for (unsigned row = 0; row + 1 < rows_.size(); ++row) {
    const unsigned arity = rows_[row].arity;
    PathElement& element = out.path.emplace_back();
    element.index = static_cast<unsigned>(index % arity);
    for (unsigned i = 0; i < arity; ++i) {
      if (i != element.index) element.siblings.push_back(node_to_fr(at(row, index - element.index + i), "Merkle node"));
    }
    index /= arity;
  }
  return out;
}

}  // namespace proofline::filecoin
