#pragma once
/// Vanilla proofs with the right counts and distinct but meaningless values.
#include <string_view>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin::test {

class PlaceholderMaker {
 public:
  explicit PlaceholderMaker(const SealProofInfo& info) : info_(info), shape_(info.shape()) {}

  VanillaProof make() {
    VanillaProof out;
    out.registered_proof = info_.proof;
    for (unsigned k = 0; k < info_.partitions(); ++k) {
      auto& partition = out.partitions.emplace_back();
      for (unsigned i = 0; i < shape_.challenges_per_partition; ++i) partition.push_back(challenge());
    }
    out.comm_r = element();
    out.comm_d = element();
    out.replica_id = element();
    out.seed.fill(3);
    out.ticket.fill(4);
    return out;
  }

 private:
  math::Fr element() {
    value_ *= step_;
    return value_;
  }
  std::vector<math::Fr> elements(std::size_t count) {
    std::vector<math::Fr> out(count);
    for (math::Fr& value : out) value = element();
    return out;
  }

  MerkleProof merkle(const TreeShape& tree) {
    MerkleProof out{element(), element(), {}};
    const PathShape path = path_shape(tree, shape_.nodes());
    const auto add = [&](unsigned arity) { out.path.push_back({elements(arity - 1), arity - 1}); };
    for (unsigned i = 0; i < path.base_levels; ++i) add(tree.base);
    if (tree.sub != 0) add(tree.sub);
    if (tree.top != 0) add(tree.top);
    return out;
  }

  ColumnProof column() { return {7, elements(shape_.layers), merkle(shape_.tree)}; }

  LabelingProof labeling(unsigned layer) { return {elements(kTotalParents), layer, shape_.nodes() - 1}; }

  ChallengeProof challenge() {
    ChallengeProof out;
    out.comm_d_proof = merkle({2, 0, 0});
    out.comm_r_last_proof = merkle(shape_.tree);
    out.c_x = column();
    for (unsigned i = 0; i < kDrgParents; ++i) out.drg_parents.push_back(column());
    for (unsigned i = 0; i < kExpanderParents; ++i) out.expander_parents.push_back(column());
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) out.labeling_proofs.push_back(labeling(layer));
    out.encoding_proof = labeling(shape_.layers);
    return out;
  }

  const SealProofInfo& info_;
  const SectorShape& shape_;
  math::Fr value_ = math::Fr::from_u64(5);
  math::Fr step_ = math::Fr::from_u64(7).inverse();
};

inline VanillaProof placeholder_proof(std::string_view registered_proof) {
  return PlaceholderMaker(seal_proof_info(registered_proof)).make();
}

}  // namespace proofline::filecoin::test
