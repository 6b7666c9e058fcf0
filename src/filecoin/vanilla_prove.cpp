#include "filecoin/vanilla_prove.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/node_file.hpp"
#include "filecoin/replica_tree.hpp"
#include "filecoin/sector_files.hpp"
#include "filecoin/tree_opener.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

/// A sector's files, ready to be opened at any node.
class SealedSector {
 public:
  explicit SealedSector(const std::filesystem::path& folder)
      : info_(read_sector_info(folder / "sector.json")),
        shape_(info_.rules.shape()),
        files_(folder, shape_),
        rows_(base_tree_rows(shape_.tree, shape_.nodes())),
        tree_d_file_(files_.tree_d(), TreeRows(2, shape_.nodes()).total()),
        tree_r_last_(files_.sealed(), files_, shape_.tree, shape_.nodes()),
        p_aux_(files_.p_aux(), 2),
        graph_(shape_.nodes(), info_.rules.porep_id, info_.rules.version) {
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) layers_.emplace_back(files_.layer(layer), shape_.nodes());
    for (unsigned i = 0; i < base_tree_count(shape_.tree); ++i) {
      tree_c_files_.emplace_back(files_.tree_c(i), rows_.total());
    }
    require(files_.tree_d(), "comm_d", tree_d().root(), info_.comm_d);
    require(files_.tree_c(0), "comm_c of p_aux", tree_c().root(), p_aux_.nodes()[0]);
    require(files_.tree_r_last(0), "comm_r_last of p_aux", tree_r_last_.root(), p_aux_.nodes()[1]);
    const Node comm_r = about(files_.p_aux().string(), [&] { return poseidon_parent(p_aux_.nodes()); });
    if (comm_r != info_.comm_r) {
      throw InputError(files_.p_aux().string() + ": hashes to " + to_hex(comm_r) + ", expected comm_r " +
                       to_hex(info_.comm_r) + " of " + files_.info().string());
    }
  }

  const SectorInfo& info() const { return info_; }
  const std::filesystem::path info_file() const { return files_.info(); }

  ChallengeProof open(std::uint64_t challenge) const {
    const auto node = static_cast<std::uint32_t>(challenge);
    ChallengeProof out;
    out.comm_d_proof = about(files_.tree_d().string(), [&] { return tree_d().open(challenge); });
    out.comm_r_last_proof = tree_r_last_.open(challenge);
    const TreeOpener columns = tree_c();
    out.c_x = column(columns, node);
    for (const std::uint32_t parent : graph_.drg_parents(node)) out.drg_parents.push_back(column(columns, parent));
    for (const std::uint32_t parent : graph_.expander_parents(node)) {
      out.expander_parents.push_back(column(columns, parent));
    }
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) out.labeling_proofs.push_back(labeling(out, layer, node));
    out.encoding_proof = out.labeling_proofs.back();
    return out;
  }

 private:
  void require(const std::filesystem::path& file, const char* name, const Node& root, const Node& expected) const {
    if (root == expected) return;
    throw InputError(file.string() + ": root " + to_hex(root) + ", expected " + name + " " + to_hex(expected));
  }

  TreeOpener tree_d() const {
    const std::span<const Node> nodes = tree_d_file_.nodes();
    return {TreeHash::kSha256,
            {2, 0, 0},
            shape_.nodes(),
            1,
            {{nodes.first(shape_.nodes()), nodes.subspan(shape_.nodes())}}};
  }

  TreeOpener tree_c() const {
    std::vector<StoredBaseTree> trees;
    for (const NodeFile& file : tree_c_files_) {
      trees.push_back({file.nodes().first(rows_.row_size(0)), file.nodes().subspan(rows_.row_size(0))});
    }
    return {TreeHash::kPoseidon, shape_.tree, shape_.nodes(), 1, std::move(trees)};
  }

  ColumnProof column(const TreeOpener& columns, std::uint32_t node) const {
    ColumnProof out;
    out.index = node;
    for (const NodeFile& layer : layers_) out.rows.push_back(layer.at(node));
    out.inclusion = about(files_.tree_c(0).string(), [&] { return columns.open(node); });
    return out;
  }

  static LabelingProof labeling(const ChallengeProof& opened, unsigned layer, std::uint32_t node) {
    std::vector<Fr> labels;
    for (const ColumnProof& parent : opened.drg_parents) labels.push_back(parent.rows[layer - 1]);
    if (layer > 1) {
      for (const ColumnProof& parent : opened.expander_parents) labels.push_back(parent.rows[layer - 2]);
    }
    LabelingProof out;
    for (unsigned i = 0; i < kTotalParents; ++i) out.parents.push_back(labels[i % labels.size()]);
    out.layer_index = layer;
    out.node = node;
    return out;
  }

  SectorInfo info_;
  const SectorShape& shape_;
  SectorFiles files_;
  TreeRows rows_;
  NodeFile tree_d_file_;
  ReplicaTree tree_r_last_;
  NodeFile p_aux_;
  StackedGraph graph_;
  std::vector<NodeFile> layers_, tree_c_files_;
};

}  // namespace

VanillaProof prove_vanilla(const std::filesystem::path& folder) {
  const SealedSector sector(folder);
  const SectorInfo& info = sector.info();
  const std::string file = sector.info_file().string();
  if (!info.rules.proof) {
    throw InputError(file + ": registered_proof: sectors of " + std::string(info.rules.shape().name) + " have none");
  }
  const SealProofInfo& proof = seal_proof_info(*info.rules.proof);
  VanillaProof out;
  out.registered_proof = *info.rules.proof;
  out.comm_r = node_to_fr(info.comm_r, file + ": comm_r");
  out.comm_d = node_to_fr(info.comm_d, file + ": comm_d");
  out.replica_id = node_to_fr(info.replica_id, file + ": replica_id");
  out.seed = info.ids.seed;
  out.ticket = info.ids.ticket;
  for (unsigned k = 0; k < proof.partitions(); ++k) {
    std::vector<ChallengeProof>& partition = out.partitions.emplace_back();
    for (const std::uint64_t challenge : porep_challenges(proof, info.replica_id, info.comm_r, info.ids.seed, k)) {
      partition.push_back(sector.open(challenge));
    }
  }
  return out;
}

}  // namespace proofline::filecoin
