#pragma once
/// The sector update circuit: one partition's challenges, as rust-fil-proofs' EmptySectorUpdateCircuit
/// (storage-proofs-update/src/circuit.rs). It says that the new replica holds the new data encoded under the old one.
#include "filecoin/update_proof.hpp"
#include "math/fr.hpp"
#include "r1cs/builder.hpp"

namespace proofline::filecoin {

/// The values that one partition's circuit takes. The proof is borrowed; its counts have been checked
/// (check_update_counts), and the upper levels of its tree_d paths are the same in all challenges.
struct UpdatePartition {
  UpdateStatement statement;
  math::Fr partition_and_h_select;
  const UpdatePartitionProof* proof = nullptr;
};

/// Throws InputError when the partition does not exist, or counts or tree_d paths are not as UpdatePartition wants
/// them.
UpdatePartition update_partition(const UpdateStatement& statement, unsigned partition,
                                 const UpdatePartitionProof& proof);

/// Allocates and enforces the partition. Inputs in order: ONE, partition and h's selector, comm_r_old, comm_d_new,
/// comm_r_new.
void synthesize_update(r1cs::Builder& cs, const UpdatePartition& partition);

/// The circuit of a partition; `*partition.proof` must outlive it.
r1cs::Circuit update_circuit(const UpdatePartition& partition);

/// The circuit's shape for a sector size, on placeholder values: for counts, digests and setup.
r1cs::Circuit update_shape_circuit(const UpdateShape& shape);

}  // namespace proofline::filecoin
