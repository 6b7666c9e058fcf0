#include "filecoin/synthetic_sector.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/sparse_tree.hpp"
#include "filecoin/synthetic_bytes.hpp"

namespace proofline::filecoin {
namespace {

const SealProofInfo& interactive(const SealProofInfo& info) {
  if (info.feature == SealFeature::kNone) return info;
  throw InputError("synthetic sector: expected an interactive proof; " + std::string(info.json_name) + " is none");
}

class SyntheticSector {
 public:
  SyntheticSector(const SealProofInfo& info, std::uint64_t seed, const Executor& exec, Progress& progress)
      : info_(interactive(info)),
        shape_(info.shape()),
        seed_(seed),
        exec_(exec),
        progress_(progress),
        ids_(synthetic_ids(seed)),
        data_(synthetic_node(seed, "data")),
        graph_(shape_.nodes(), info.porep_id, info.api_version),
        tree_d_(TreeHash::kSha256, {2, 0, 0}, shape_.nodes(), data_, {}, exec, progress, "tree_d"),
        replica_id_(replica_id(ids_.prover_id, ids_.sector_id, ids_.ticket, tree_d_.root(), info.porep_id)) {
    draw_challenges();
    make_labels();
  }

  VanillaProof proof() const {
    const SparseTree tree_c = columns_tree();
    const SparseTree tree_r_last = replica_tree();
    VanillaProof out;
    out.registered_proof = info_.proof;
    out.comm_r = node_to_fr(poseidon_parent(std::array{tree_c.root(), tree_r_last.root()}), "comm_r");
    out.comm_d = node_to_fr(tree_d_.root(), "comm_d");
    out.replica_id = node_to_fr(replica_id_, "replica_id");
    out.seed = ids_.seed;
    out.ticket = ids_.ticket;
    for (const auto& nodes : challenges_) {
      auto& partition = out.partitions.emplace_back(nodes.size());
      exec_.parallel_for(nodes.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          partition[i] = open(static_cast<std::uint32_t>(nodes[i]), tree_c, tree_r_last);
        }
      });
      progress_.report("open", out.partitions.size(), challenges_.size());
    }
    return out;
  }

 private:
  void draw_challenges() {
    for (unsigned k = 0; k < shape_.partitions; ++k) {
      for (const std::uint64_t node :
           challenges_.emplace_back(interactive_challenges(shape_, replica_id_, ids_.seed, k))) {
        const auto challenged = static_cast<std::uint32_t>(node);
        const StackedGraph::Parents parents = graph_.parents(challenged);
        parents_[challenged] = parents;
        nodes_.push_back(challenged);
        nodes_.insert(nodes_.end(), parents.begin(), parents.end());
      }
    }
    std::ranges::sort(nodes_);
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  }

  // A label depends on labels of smaller nodes in its layer and of any nodes in the layer before: DRG parents are
  // smaller than their node in every version (V1_0 lists the predecessor last, V1_1 first), and node 0, its own
  // parent, is never challenged. So layer by layer, in ascending order, each parent's label is there when it is
  // needed, be the parent challenged itself, shared or neither.
  void make_labels() {
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) {
      layers_.emplace_back();
      for (const std::uint32_t node : nodes_) {
        layers_.back().push_back(parents_.contains(node) ? label(replica_id_, layer, node, parent_labels(layer, node))
                                                         : synthetic_node(seed_, "label", layer, node));
      }
      progress_.report("labels", layer, shape_.layers);
    }
  }

  const Node& label_of(unsigned layer, std::uint32_t node) const {
    return layers_[layer - 1][static_cast<std::size_t>(std::ranges::lower_bound(nodes_, node) - nodes_.begin())];
  }

  /// What the label of a challenged node hashes: 6 labels in the first layer, else 14.
  std::vector<Node> parent_labels(unsigned layer, std::uint32_t node) const {
    const StackedGraph::Parents& parents = parents_.at(node);
    std::vector<Node> out;
    for (std::size_t i = 0; i < (layer == 1 ? kDrgParents : parents.size()); ++i) {
      out.push_back(label_of(i < kDrgParents ? layer : layer - 1, parents[i]));
    }
    return out;
  }

  SparseTree columns_tree() const {
    const std::vector<std::span<const Node>> layers(layers_.begin(), layers_.end());
    std::vector<Node> hashes(nodes_.size());
    hash_columns(layers, hashes, exec_, progress_);
    std::vector<SparseLeaf> leaves;
    for (std::size_t i = 0; i < nodes_.size(); ++i) leaves.push_back({nodes_[i], hashes[i]});
    return poseidon_tree(synthetic_node(seed_, "other columns"), leaves, "tree_c");
  }

  SparseTree replica_tree() const {
    std::vector<SparseLeaf> leaves;
    for (const auto& [node, unused] : parents_) {
      Node& leaf = leaves.emplace_back(SparseLeaf{node, {}}).value;
      encode(std::span(&data_, 1), std::span(&label_of(shape_.layers, node), 1), std::span(&leaf, 1), exec_);
    }
    return poseidon_tree(synthetic_node(seed_, "other replica nodes"), leaves, "tree_r_last");
  }

  SparseTree poseidon_tree(const Node& usual, std::span<const SparseLeaf> leaves, std::string_view stage) const {
    return {TreeHash::kPoseidon, shape_.tree, shape_.nodes(), usual, leaves, exec_, progress_, stage};
  }

  ColumnProof column(std::uint32_t node, const SparseTree& tree_c) const {
    ColumnProof out;
    out.index = node;
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) {
      out.rows.push_back(node_to_fr(label_of(layer, node), "label"));
    }
    out.inclusion = tree_c.open(node);
    return out;
  }

  LabelingProof labeling(unsigned layer, std::uint32_t node) const {
    const std::vector<Node> labels = parent_labels(layer, node);
    LabelingProof out;
    for (std::size_t i = 0; i < kTotalParents; ++i) {
      out.parents.push_back(node_to_fr(labels[i % labels.size()], "label"));
    }
    out.layer_index = layer;
    out.node = node;
    return out;
  }

  ChallengeProof open(std::uint32_t node, const SparseTree& tree_c, const SparseTree& tree_r_last) const {
    ChallengeProof out;
    out.comm_d_proof = tree_d_.open(node);
    out.comm_r_last_proof = tree_r_last.open(node);
    out.c_x = column(node, tree_c);
    const StackedGraph::Parents& parents = parents_.at(node);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      (i < kDrgParents ? out.drg_parents : out.expander_parents).push_back(column(parents[i], tree_c));
    }
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) out.labeling_proofs.push_back(labeling(layer, node));
    out.encoding_proof = out.labeling_proofs.back();
    return out;
  }

  const SealProofInfo& info_;
  const SectorShape& shape_;
  std::uint64_t seed_;
  const Executor& exec_;
  Progress& progress_;
  SectorIds ids_;
  Node data_;  ///< every leaf of tree_d
  StackedGraph graph_;
  SparseTree tree_d_;
  Node replica_id_;
  std::vector<std::vector<std::uint64_t>> challenges_;      ///< by partition
  std::map<std::uint32_t, StackedGraph::Parents> parents_;  ///< of the challenged nodes
  std::vector<std::uint32_t> nodes_;                        ///< challenged nodes and parents, ascending
  std::vector<std::vector<Node>> layers_;                   ///< labels of nodes_
};

}  // namespace

SectorIds synthetic_ids(std::uint64_t seed) {
  return {.prover_id = prover_id(synthetic_number(seed, "miner")),
          .sector_id = synthetic_number(seed, "sector number"),
          .ticket = synthetic_bytes(seed, "ticket"),
          .seed = synthetic_bytes(seed, "challenge seed")};
}

VanillaProof synthesize_sector(const SealProofInfo& info, std::uint64_t seed, const Executor& exec,
                               Progress& progress) {
  return SyntheticSector(info, seed, exec, progress).proof();
}

}  // namespace proofline::filecoin
