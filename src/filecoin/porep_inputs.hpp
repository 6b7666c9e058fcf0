#pragma once
/// The public inputs of PoRep proofs, derived from what the chain knows: ids and commitments.
#include <vector>

#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// What a PoRep proof is about.
struct PorepStatement {
  RegisteredSealProof proof{};
  math::Fr replica_id, comm_d, comm_r;
  Bytes32 seed{};
};

PorepStatement porep_statement(const VanillaHeader& header);

/// The public inputs of one partition, without ONE: replica_id, comm_d, comm_r, then for each challenge
/// what synthesize_porep makes public. Throws InputError when the partition does not exist.
std::vector<math::Fr> porep_public_inputs(const PorepStatement& statement, unsigned partition);

}  // namespace proofline::filecoin
