#include "filecoin/replica_tree.hpp"

namespace proofline::filecoin {
namespace {

std::vector<NodeFile> map_upper_rows(const SectorFiles& files, const TreeShape& shape, std::uint64_t nodes) {
  const TreeRows rows = base_tree_rows(shape, nodes);
  const std::uint64_t kept = rows.total() - rows.row_offset(1 + discarded_rows(rows));
  std::vector<NodeFile> out;
  for (unsigned i = 0; i < base_tree_count(shape); ++i) out.emplace_back(files.tree_r_last(i), kept);
  return out;
}

TreeOpener make_opener(const NodeFile& replica, const std::vector<NodeFile>& upper, const TreeShape& shape) {
  const TreeRows rows = base_tree_rows(shape, replica.nodes().size());
  const std::uint64_t leaves = rows.row_size(0);
  std::vector<StoredBaseTree> trees;
  for (const NodeFile& file : upper) {
    trees.push_back({replica.nodes().subspan(trees.size() * leaves, leaves), file.nodes()});
  }
  return {TreeHash::kPoseidon, shape, replica.nodes().size(), 1 + discarded_rows(rows), std::move(trees)};
}

}  // namespace

ReplicaTree::ReplicaTree(const std::filesystem::path& replica, const SectorFiles& files, const TreeShape& shape,
                         std::uint64_t nodes)
    : replica_(replica, nodes),
      upper_(map_upper_rows(files, shape, nodes)),
      names_(files.tree_r_last(0).string() + " and " + replica.string()),
      opener_(about(names_, [&] { return make_opener(replica_, upper_, shape); })) {}

MerkleProof ReplicaTree::open(std::uint64_t leaf) const {
  return about(names_, [&] { return opener_.open(leaf); });
}

}  // namespace proofline::filecoin
