#include "filecoin/vanilla_counts.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

class CountChecker {
 public:
  CountChecker(const SealProofInfo& info, std::string_view name)
      : info_(info),
        shape_(info.shape()),
        name_(name),
        poseidon_path_(path_shape(shape_.tree, shape_.nodes())),
        binary_path_(path_shape({2, 0, 0}, shape_.nodes())) {}

  void check_partitions(std::size_t count) const { expect(root(), "partitions", count, info_.partitions()); }

  void check(std::size_t k, std::span<const ChallengeProof> challenges) const {
    const std::string partition = root() + "[" + std::to_string(k) + "]";
    expect(partition, "challenges", challenges.size(), shape_.challenges_per_partition);
    for (std::size_t i = 0; i < challenges.size(); ++i) check(partition + "[" + std::to_string(i) + "]", challenges[i]);
  }

 private:
  std::string root() const { return "vanilla_proofs." + std::string(info_.shape_name); }

  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw InputError(std::string(name_) + ": " + where + ": " + what);
  }

  void expect(const std::string& where, const char* what, std::uint64_t got, std::uint64_t wanted) const {
    if (got != wanted) {
      fail(where, "expected " + std::to_string(wanted) + " " + what + ", got " + std::to_string(got));
    }
  }

  void check(const std::string& where, const ChallengeProof& proof) const {
    check(where + ".comm_d_proofs", proof.comm_d_proof, binary_path_);
    check(where + ".comm_r_last_proof", proof.comm_r_last_proof, poseidon_path_);
    const std::string columns = where + ".replica_column_proofs";
    check(columns + ".c_x", proof.c_x);
    check(columns + ".drg_parents", proof.drg_parents, kDrgParents);
    check(columns + ".exp_parents", proof.expander_parents, kExpanderParents);
    expect(where + ".labeling_proofs", "proofs (one a layer)", proof.labeling_proofs.size(), shape_.layers);
    for (std::size_t layer = 0; layer < proof.labeling_proofs.size(); ++layer) {
      check(where + ".labeling_proofs[" + std::to_string(layer) + "]", proof.labeling_proofs[layer], layer + 1);
    }
    check(where + ".encoding_proof", proof.encoding_proof, shape_.layers);
  }

  void check(const std::string& where, const std::vector<ColumnProof>& columns, std::size_t wanted) const {
    expect(where, "parents", columns.size(), wanted);
    for (std::size_t i = 0; i < columns.size(); ++i) check(where + "[" + std::to_string(i) + "]", columns[i]);
  }

  void check(const std::string& where, const ColumnProof& column) const {
    expect(where + ".column.rows", "labels (one a layer)", column.rows.size(), shape_.layers);
    check(where + ".inclusion_proof", column.inclusion, poseidon_path_);
  }

  void check(const std::string& where, const LabelingProof& proof, std::size_t layer) const {
    expect(where, "parents", proof.parents.size(), kTotalParents);
    if (proof.layer_index != layer) {
      fail(where + ".layer_index", "expected " + std::to_string(layer) + ", got " + std::to_string(proof.layer_index));
    }
    if (proof.node >= shape_.nodes()) {
      fail(where + ".node",
           "expected a node below " + std::to_string(shape_.nodes()) + ", got " + std::to_string(proof.node));
    }
  }

  void check(const std::string& where, const MerkleProof& proof, const PathShape& shape) const {
    std::vector<unsigned> arities(shape.base_levels, shape.tree.base);
    if (shape.tree.sub != 0) arities.push_back(shape.tree.sub);
    if (shape.tree.top != 0) arities.push_back(shape.tree.top);
    expect(where, "path levels", proof.path.size(), arities.size());
    for (std::size_t level = 0; level < arities.size(); ++level) {
      const std::string at = where + ", path level " + std::to_string(level);
      expect(at, "siblings", proof.path[level].siblings.size(), arities[level] - 1);
      if (proof.path[level].index >= arities[level]) {
        fail(at, "expected an index below " + std::to_string(arities[level]) + ", got " +
                     std::to_string(proof.path[level].index));
      }
    }
  }

  const SealProofInfo& info_;
  const SectorShape& shape_;
  std::string_view name_;
  PathShape poseidon_path_, binary_path_;
};

}  // namespace

void check_partition_count(RegisteredSealProof proof, std::size_t count, std::string_view name) {
  CountChecker(seal_proof_info(proof), name).check_partitions(count);
}

void check_counts(RegisteredSealProof proof, std::size_t k, std::span<const ChallengeProof> challenges,
                  std::string_view name) {
  CountChecker(seal_proof_info(proof), name).check(k, challenges);
}

}  // namespace proofline::filecoin
