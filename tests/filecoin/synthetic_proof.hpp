#pragma once
/// Vanilla proofs of sectors too large to seal in a test, that nevertheless hold: a committed-capacity
/// sector (all data zero) in which only the challenged nodes and their parents have labels. Parents' labels
/// are invented, challenged nodes' labels computed from them, all other leaves of the trees are zero.
#include <map>
#include <set>

#include "base/sha256.hpp"
#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin::test {

/// A Merkle tree most of whose leaves are zero.
class SparseTree {
 public:
  using Row = std::map<std::uint64_t, Node>;

  SparseTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, const Row& leaves) {
    const PathShape path = path_shape(shape, nodes);
    arities_.assign(path.base_levels, shape.base);
    for (const unsigned arity : {shape.sub, shape.top}) {
      if (arity != 0) arities_.push_back(arity);
    }
    rows_.push_back(leaves);
    empty_.push_back(Node{});
    for (const unsigned arity : arities_) add_row(hash, arity);
  }

  Node root() const { return at(arities_.size(), 0); }

  MerkleProof open(std::uint64_t leaf) const {
    MerkleProof out{node_to_fr(root(), "root"), node_to_fr(at(0, leaf), "leaf"), {}};
    for (std::size_t level = 0; level < arities_.size(); ++level) {
      const unsigned arity = arities_[level];
      PathElement& element = out.path.emplace_back();
      element.index = static_cast<unsigned>(leaf % arity);
      for (unsigned i = 0; i < arity; ++i) {
        if (i != element.index) element.siblings.push_back(node_to_fr(at(level, leaf - element.index + i), "node"));
      }
      leaf /= arity;
    }
    return out;
  }

 private:
  const Node& at(std::size_t row, std::uint64_t index) const {
    const auto found = rows_[row].find(index);
    return found == rows_[row].end() ? empty_[row] : found->second;
  }

  void add_row(TreeHash hash, unsigned arity) {
    const std::size_t below = rows_.size() - 1;
    Row next;
    std::vector<Node> children(arity);
    for (const auto& [index, unused] : rows_[below]) {
      const auto [parent, is_new] = next.try_emplace(index / arity);
      if (!is_new) continue;
      for (unsigned i = 0; i < arity; ++i) children[i] = at(below, index / arity * arity + i);
      parent->second = parent_node(hash, children);
    }
    rows_.push_back(std::move(next));
    empty_.push_back(parent_node(hash, std::vector<Node>(arity, empty_[below])));
  }

  std::vector<unsigned> arities_;
  std::vector<Row> rows_;
  std::vector<Node> empty_;
};

class SyntheticSector {
 public:
  explicit SyntheticSector(const SealProofInfo& info)
      : info_(info),
        shape_(info.shape()),
        graph_(shape_.nodes(), info.porep_id, info.api_version),
        tree_d_(TreeHash::kSha256, {2, 0, 0}, shape_.nodes(), {}) {
    ticket_.fill(7);
    seed_.fill(9);
    replica_id_ = replica_id(prover_id(1000), 1, ticket_, tree_d_.root(), info.porep_id);
    for (unsigned k = 0; k < shape_.partitions; ++k) {
      challenges_.push_back(interactive_challenges(shape_, replica_id_, seed_, k));
      for (const std::uint64_t node : challenges_.back()) {
        challenged_.insert(node);
        labels_[node];
        for (const std::uint32_t parent : graph_.parents(static_cast<std::uint32_t>(node))) labels_[parent];
      }
    }
    for (unsigned layer = 1; layer <= shape_.layers; ++layer)
      for (auto& [node, column] : labels_)
        column.push_back(challenged_.contains(node) ? computed(layer, node) : invented(layer, node));
  }

  VanillaProof proof() const {
    SparseTree::Row columns, replica;
    for (const auto& [node, column] : labels_) columns[node] = poseidon_parent(column);
    // All data is zero, so that the replica is the last layer.
    for (const std::uint64_t node : challenged_) replica[node] = labels_.at(node).back();
    const SparseTree tree_c(TreeHash::kPoseidon, shape_.tree, shape_.nodes(), columns);
    const SparseTree tree_r_last(TreeHash::kPoseidon, shape_.tree, shape_.nodes(), replica);

    VanillaProof out;
    out.registered_proof = info_.proof;
    out.comm_r = node_to_fr(poseidon_parent(std::array{tree_c.root(), tree_r_last.root()}), "comm_r");
    out.comm_d = node_to_fr(tree_d_.root(), "comm_d");
    out.replica_id = node_to_fr(replica_id_, "replica_id");
    out.seed = seed_;
    out.ticket = ticket_;
    for (const auto& nodes : challenges_) {
      auto& partition = out.partitions.emplace_back();
      for (const std::uint64_t node : nodes) partition.push_back(open(node, tree_c, tree_r_last));
    }
    return out;
  }

 private:
  Node invented(unsigned layer, std::uint64_t node) const {
    const std::array<std::uint8_t, 9> place{static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(node),
                                            static_cast<std::uint8_t>(node >> 8), static_cast<std::uint8_t>(node >> 16),
                                            static_cast<std::uint8_t>(node >> 24)};
    return truncate_to_field(sha256(place));
  }

  std::vector<Node> parent_labels(unsigned layer, std::uint64_t node) const {
    std::vector<Node> out;
    const auto id = static_cast<std::uint32_t>(node);
    for (const std::uint32_t parent : graph_.drg_parents(id)) out.push_back(labels_.at(parent)[layer - 1]);
    if (layer > 1) {
      for (const std::uint32_t parent : graph_.expander_parents(id)) out.push_back(labels_.at(parent)[layer - 2]);
    }
    return out;
  }

  Node computed(unsigned layer, std::uint64_t node) const {
    return label(replica_id_, layer, node, parent_labels(layer, node));
  }

  ColumnProof column(std::uint64_t node, const SparseTree& tree_c) const {
    ColumnProof out;
    out.index = static_cast<std::uint32_t>(node);
    for (const Node& row : labels_.at(node)) out.rows.push_back(node_to_fr(row, "label"));
    out.inclusion = tree_c.open(node);
    return out;
  }

  ChallengeProof open(std::uint64_t node, const SparseTree& tree_c, const SparseTree& tree_r_last) const {
    ChallengeProof out;
    out.comm_d_proof = tree_d_.open(node);
    out.comm_r_last_proof = tree_r_last.open(node);
    out.c_x = column(node, tree_c);
    const auto id = static_cast<std::uint32_t>(node);
    for (const std::uint32_t parent : graph_.drg_parents(id)) out.drg_parents.push_back(column(parent, tree_c));
    for (const std::uint32_t parent : graph_.expander_parents(id))
      out.expander_parents.push_back(column(parent, tree_c));
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) {
      LabelingProof& labeling = out.labeling_proofs.emplace_back();
      const std::vector<Node> labels = parent_labels(layer, node);
      for (std::size_t i = 0; i < kTotalParents; ++i)
        labeling.parents.push_back(node_to_fr(labels[i % labels.size()], "label"));
      labeling.layer_index = layer;
      labeling.node = node;
    }
    out.encoding_proof = out.labeling_proofs.back();
    return out;
  }

  const SealProofInfo& info_;
  const SectorShape& shape_;
  StackedGraph graph_;
  SparseTree tree_d_;
  Bytes32 ticket_{}, seed_{};
  Node replica_id_{};
  std::vector<std::vector<std::uint64_t>> challenges_;
  std::set<std::uint64_t> challenged_;
  std::map<std::uint64_t, std::vector<Node>> labels_;  ///< by node, one a layer
};

inline VanillaProof synthetic_proof(std::string_view registered_proof) {
  return SyntheticSector(seal_proof_info(registered_proof)).proof();
}

}  // namespace proofline::filecoin::test
