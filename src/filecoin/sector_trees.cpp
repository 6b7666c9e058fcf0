#include "filecoin/sector_trees.hpp"

#include <algorithm>
#include <array>

namespace proofline::filecoin {

std::span<Node> nodes_of(const MappedOutput& file) {
  return as_nodes(file.bytes());
}

MappedOutput write_tree_d(const std::filesystem::path& path, std::span<const Node> leaves, const Executor& exec,
                          Progress& progress) {
  const TreeRows rows(2, leaves.size());
  MappedOutput file(path, rows.total() * kNodeBytes);
  const std::span<Node> nodes = nodes_of(file);
  std::ranges::copy(leaves, nodes.begin());
  fill_rows(TreeHash::kSha256, rows, nodes.first(leaves.size()), nodes.subspan(leaves.size()), exec, progress,
            "tree_d");
  file.sync();
  return file;
}

Node write_tree_r_last(const SectorFiles& files, const TreeShape& shape, std::span<const Node> replica,
                       const Executor& exec, Progress& progress) {
  const TreeRows rows = base_tree_rows(shape, replica.size());
  const std::uint64_t leaves = rows.row_size(0);
  const std::uint64_t dropped = rows.row_offset(1 + discarded_rows(rows)) - leaves;
  std::vector<Node> upper(rows.total() - leaves);
  std::vector<Node> roots;
  for (unsigned i = 0; i < base_tree_count(shape); ++i) {
    fill_rows(TreeHash::kPoseidon, rows, replica.subspan(i * leaves, leaves), upper, exec, progress, "tree_r_last");
    const std::span<const Node> kept = std::span(upper).subspan(dropped);
    const MappedOutput file(files.tree_r_last(i), kept.size_bytes());
    std::ranges::copy(kept, nodes_of(file).begin());
    file.sync();
    roots.push_back(upper.back());
  }
  return join_base_roots(shape, roots);
}

Node write_p_aux(const std::filesystem::path& path, const Node& comm_c, const Node& comm_r_last) {
  const std::array<Node, 2> p_aux{comm_c, comm_r_last};
  const MappedOutput file(path, sizeof(p_aux));
  std::ranges::copy(p_aux, nodes_of(file).begin());
  file.sync();
  return poseidon_parent(p_aux);
}

}  // namespace proofline::filecoin
