#include "filecoin/porep_inputs.hpp"

#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"

namespace proofline::filecoin {

using math::Fr;

PorepStatement porep_statement(const VanillaHeader& header) {
  return {header.registered_proof, header.replica_id, header.comm_d, header.comm_r, header.seed};
}

std::vector<Fr> porep_public_inputs(const PorepStatement& statement, unsigned partition) {
  const SealProofInfo& info = seal_proof_info(statement.proof);
  const SectorShape& shape = info.shape();
  const StackedGraph graph(shape.nodes(), info.porep_id, info.api_version);

  std::vector<Fr> inputs = {statement.replica_id, statement.comm_d, statement.comm_r};
  for (const std::uint64_t challenge : porep_challenges(info, statement.replica_id.to_bytes(),
                                                        statement.comm_r.to_bytes(), statement.seed, partition)) {
    const Fr node = Fr::from_u64(challenge);
    inputs.push_back(node);  // path in tree_d
    for (const std::uint32_t parent : graph.parents(static_cast<std::uint32_t>(challenge)))
      inputs.push_back(Fr::from_u64(parent));
    inputs.push_back(node);  // the challenge itself
    inputs.push_back(node);  // path in tree_r_last
    inputs.push_back(node);  // path in tree_c
  }
  return inputs;
}

}  // namespace proofline::filecoin
