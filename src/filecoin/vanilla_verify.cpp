#include "filecoin/vanilla_verify.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/merkle_path.hpp"
#include "filecoin/vanilla_counts.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

Fr poseidon(std::span<const Fr> preimage) {
  return math::poseidon(math::poseidon_constants(static_cast<unsigned>(preimage.size())), preimage);
}

/// The commitments that a partition's challenges share.
struct Roots {
  Fr comm_d, comm_c, comm_r_last;
};

/// Checks one challenge's proof.
class ChallengeVerifier {
 public:
  ChallengeVerifier(const StackedGraph& graph, const Fr& replica_id, const Roots& roots, std::uint64_t node,
                    std::string where)
      : graph_(graph), replica_id_(replica_id.to_bytes()), roots_(roots), node_(node), where_(std::move(where)) {}

  void verify(const ChallengeProof& proof) const {
    inclusion(".comm_d_proofs", TreeHash::kSha256, proof.comm_d_proof, roots_.comm_d, "comm_d", node_);
    inclusion(".comm_r_last_proof", TreeHash::kPoseidon, proof.comm_r_last_proof, roots_.comm_r_last,
              "comm_r_last of the partition's first challenge", node_);
    const std::string columns = ".replica_column_proofs";
    column(columns + ".c_x", proof.c_x, node_);
    const auto node = static_cast<std::uint32_t>(node_);
    parents(columns + ".drg_parents", proof.drg_parents, graph_.drg_parents(node));
    parents(columns + ".exp_parents", proof.expander_parents, graph_.expander_parents(node));
    for (std::size_t i = 0; i < proof.labeling_proofs.size(); ++i) {
      const std::string field = ".labeling_proofs[" + std::to_string(i) + "]";
      const Fr label = labeling(field, proof, proof.labeling_proofs[i]);
      equal(field + ": label", label, proof.c_x.rows[i], "c_x.column.rows[" + std::to_string(i) + "]");
    }
    const Fr key = labeling(".encoding_proof", proof, proof.encoding_proof);
    equal(".encoding_proof: comm_d_proofs' leaf + key", proof.comm_d_proof.leaf + key, proof.comm_r_last_proof.leaf,
          "comm_r_last_proof's leaf");
  }

 private:
  [[noreturn]] void fail(const std::string& field, const std::string& what) const {
    throw InputError(where_ + field + " (node " + std::to_string(node_) + "): " + what);
  }

  void equal(const std::string& field, const Fr& got, const Fr& wanted, const std::string& of) const {
    if (!(got == wanted)) fail(field, "expected " + hex(wanted) + " (" + of + "), got " + hex(got));
  }

  void inclusion(const std::string& field, TreeHash hash, const MerkleProof& proof, const Fr& root,
                 const std::string& root_name, std::uint64_t position) const {
    equal(field + " root", proof.root, root, root_name);
    const std::uint64_t got = path_position(proof.path);
    if (got != position) {
      fail(field,
           "expected the path of leaf " + std::to_string(position) + ", got that of leaf " + std::to_string(got));
    }
    equal(field + ": end of the path", path_root(hash, proof.leaf, proof.path), proof.root, "root");
  }

  void column(const std::string& field, const ColumnProof& proof, std::uint64_t node) const {
    if (proof.index != node) {
      fail(field + ".column.index", "expected " + std::to_string(node) + ", got " + std::to_string(proof.index));
    }
    equal(field + ".inclusion_proof leaf", proof.inclusion.leaf, poseidon(proof.rows), "hash of column.rows");
    inclusion(field + ".inclusion_proof", TreeHash::kPoseidon, proof.inclusion, roots_.comm_c,
              "comm_c of the partition's first challenge", node);
  }

  template <class Nodes>
  void parents(const std::string& field, const std::vector<ColumnProof>& columns, const Nodes& nodes) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) column(field + "[" + std::to_string(i) + "]", columns[i], nodes[i]);
  }

  /// The label of the node in the proof's layer, from the parents that the columns hold.
  Fr labeling(const std::string& field, const ChallengeProof& proof, const LabelingProof& labeling) const {
    if (labeling.node != node_) {
      fail(field + ".node", "expected " + std::to_string(node_) + ", got " + std::to_string(labeling.node));
    }
    const std::size_t layer = labeling.layer_index;
    std::vector<Fr> labels;
    for (const ColumnProof& parent : proof.drg_parents) labels.push_back(parent.rows[layer - 1]);
    if (layer > 1) {
      for (const ColumnProof& parent : proof.expander_parents) labels.push_back(parent.rows[layer - 2]);
    }
    std::vector<Node> repeated;
    for (std::size_t i = 0; i < kTotalParents; ++i) {
      equal(field + ".parents[" + std::to_string(i) + "]", labeling.parents[i], labels[i % labels.size()],
            "label in the parent's column");
      repeated.push_back(labeling.parents[i].to_bytes());
    }
    return node_to_fr(label(replica_id_, labeling.layer_index, node_, repeated), "label");
  }

  const StackedGraph& graph_;
  Node replica_id_;
  const Roots& roots_;
  std::uint64_t node_;
  std::string where_;
};

}  // namespace

void verify_vanilla_partition(const VanillaHeader& header, std::size_t k, std::span<const ChallengeProof> challenges,
                              std::string_view name, const Executor& exec) {
  const SealProofInfo& info = seal_proof_info(header.registered_proof);
  const std::vector<std::uint64_t> nodes = porep_challenges(
      info, header.replica_id.to_bytes(), header.comm_r.to_bytes(), header.seed, static_cast<unsigned>(k));
  check_counts(header.registered_proof, k, challenges, name);
  const std::string partition =
      std::string(name) + ": vanilla_proofs." + std::string(info.shape_name) + "[" + std::to_string(k) + "]";
  const auto where = [&](std::size_t i) { return partition + "[" + std::to_string(i) + "]"; };

  const ChallengeProof& first = challenges.front();
  const Roots roots{header.comm_d, first.c_x.inclusion.root, first.comm_r_last_proof.root};
  const Fr comm_r = poseidon(std::array{roots.comm_c, roots.comm_r_last});
  if (!(comm_r == header.comm_r)) {
    throw InputError(where(0) + ": roots of c_x and comm_r_last_proof hash to " + hex(comm_r) + ", expected comm_r " +
                     hex(header.comm_r));
  }
  const StackedGraph graph(info.shape().nodes(), info.porep_id, info.api_version);
  exec.parallel_for(challenges.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ChallengeVerifier(graph, header.replica_id, roots, nodes[i], where(i)).verify(challenges[i]);
    }
  });
}

void verify_vanilla(const VanillaProof& proof, std::string_view name, const Executor& exec) {
  check_partition_count(proof.registered_proof, proof.partitions.size(), name);
  for (std::size_t k = 0; k < proof.partitions.size(); ++k) {
    verify_vanilla_partition(proof, k, proof.partitions[k], name, exec);
  }
}

}  // namespace proofline::filecoin
