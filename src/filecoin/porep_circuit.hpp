#pragma once
/// The PoRep (StackedDRG) circuit: one partition's challenges, as rust-fil-proofs' StackedCircuit.
#include <span>

#include "filecoin/sector_shape.hpp"
#include "filecoin/vanilla_proof.hpp"
#include "r1cs/builder.hpp"

namespace proofline::filecoin {

/// The values that one partition's circuit takes. The challenges are borrowed.
struct PorepPartition {
  math::Fr replica_id, comm_d, comm_r, comm_r_last, comm_c;
  std::span<const ChallengeProof> challenges;
};

/// Partition `index` of a vanilla proof, whose counts have been checked (parse_c1 does).
PorepPartition porep_partition(const VanillaProof& proof, std::size_t index);
/// One partition's challenges under the header of their vanilla proof, counts checked (C1Reader does).
PorepPartition porep_partition(const VanillaHeader& header, std::span<const ChallengeProof> challenges);

/// Allocates and enforces the partition. Inputs in order: ONE, replica_id, comm_d, comm_r, then for
/// each challenge the index in tree_d, 6 DRG and 8 expander parents, the challenge, and its index in
/// tree_r_last and in tree_c.
void synthesize_porep(r1cs::Builder& cs, const PorepPartition& partition);

/// The circuit of a partition; `partition.challenges` must outlive it.
r1cs::Circuit porep_circuit(const PorepPartition& partition);

/// The circuit's shape for a sector size, on placeholder values: for counts, digests and setup.
r1cs::Circuit porep_shape_circuit(const SectorShape& shape);

}  // namespace proofline::filecoin
