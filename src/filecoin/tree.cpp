#include "filecoin/tree.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr unsigned kDiscardedRows = 2;

std::size_t grain(TreeHash hash) {
  return hash == TreeHash::kSha256 ? 2048 : 64;
}

}  // namespace

TreeRows::TreeRows(unsigned arity, std::uint64_t leaves) : arity_(arity) {
  offsets_.push_back(0);
  std::uint64_t size = leaves;
  if (arity >= 2 && leaves >= arity) {
    for (; size % arity == 0; size /= arity) offsets_.push_back(offsets_.back() + size);
  }
  if (size != 1 || leaves < arity) {
    throw InputError("Merkle tree: " + std::to_string(leaves) + " leaves are not a power of the arity " +
                     std::to_string(arity));
  }
  offsets_.push_back(offsets_.back() + 1);
}

unsigned base_tree_count(const TreeShape& shape) {
  return std::max(shape.sub, 1U) * std::max(shape.top, 1U);
}

TreeRows base_tree_rows(const TreeShape& shape, std::uint64_t nodes) {
  path_shape(shape, nodes);
  return {shape.base, nodes / base_tree_count(shape)};
}

void fill_row(TreeHash hash, unsigned arity, std::span<const Node> children, std::span<Node> parents,
              const Executor& exec) {
  exec.parallel_for(parents.size(), grain(hash), [&](std::size_t begin, std::size_t end) {
    if (hash == TreeHash::kPoseidon) {
      poseidon_parents(children.subspan(begin * arity, (end - begin) * arity), parents.subspan(begin, end - begin));
      return;
    }
    for (std::size_t i = begin; i < end; ++i) parents[i] = parent_node(hash, children.subspan(i * arity, arity));
  });
}

void fill_rows(TreeHash hash, const TreeRows& rows, std::span<const Node> leaves, std::span<Node> upper,
               const Executor& exec, Progress& progress, std::string_view stage) {
  // Parts of a row, so that progress moves while the largest row is hashed.
  constexpr std::size_t kPart = std::size_t{1} << 16;
  const std::uint64_t leaf_count = rows.row_size(0);
  if (leaves.size() != leaf_count || upper.size() != rows.total() - leaf_count) {
    throw InputError("Merkle tree: " + std::to_string(leaves.size()) + " leaves and " + std::to_string(upper.size()) +
                     " nodes above them; expected " + std::to_string(leaf_count) + " and " +
                     std::to_string(rows.total() - leaf_count));
  }
  std::uint64_t done = 0;
  std::span<const Node> children = leaves;
  for (unsigned row = 1; row < rows.count(); ++row) {
    const auto parents = upper.subspan(rows.row_offset(row) - leaf_count, rows.row_size(row));
    for (std::size_t begin = 0; begin < parents.size(); begin += kPart) {
      const std::size_t size = std::min(kPart, parents.size() - begin);
      fill_row(hash, rows.arity(), children.subspan(begin * rows.arity(), size * rows.arity()),
               parents.subspan(begin, size), exec);
      done += size;
      progress.report(stage, done, upper.size());
    }
    children = parents;
  }
}

Node join_base_roots(const TreeShape& shape, std::span<const Node> base_roots) {
  if (base_roots.size() != base_tree_count(shape)) {
    throw InputError("Merkle tree: " + std::to_string(base_roots.size()) + " base trees; expected " +
                     std::to_string(base_tree_count(shape)));
  }
  std::vector<Node> row(base_roots.begin(), base_roots.end());
  for (const unsigned arity : {shape.sub, shape.top}) {
    if (arity == 0) continue;
    std::vector<Node> next;
    for (std::size_t i = 0; i < row.size(); i += arity) {
      next.push_back(poseidon_parent(std::span(row).subspan(i, arity)));
    }
    row = std::move(next);
  }
  return row.front();
}

Node tree_root(TreeHash hash, const TreeShape& shape, std::span<const Node> leaves, const Executor& exec) {
  const TreeRows rows = base_tree_rows(shape, leaves.size());
  std::vector<Node> upper(rows.total() - rows.row_size(0));
  std::vector<Node> base_roots;
  for (std::size_t begin = 0; begin < leaves.size(); begin += rows.row_size(0)) {
    fill_rows(hash, rows, leaves.subspan(begin, rows.row_size(0)), upper, exec, no_progress(), "tree");
    base_roots.push_back(upper.back());
  }
  return join_base_roots(shape, base_roots);
}

unsigned discarded_rows(const TreeRows& rows) {
  return std::min(kDiscardedRows, rows.count() - 2);
}

}  // namespace proofline::filecoin
