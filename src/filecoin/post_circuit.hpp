#pragma once
/// The FallbackPoSt circuit of WinningPoSt and WindowPoSt: one partition's sectors, as rust-fil-proofs'
/// FallbackPoStCircuit.
#include <span>
#include <vector>

#include "filecoin/post_proof.hpp"
#include "r1cs/builder.hpp"
#include "r1cs/structured.hpp"

namespace proofline::filecoin {

/// The values that a sector of the circuit takes. The inclusion proofs are borrowed.
struct PostCircuitSector {
  math::Fr comm_r, comm_c, comm_r_last;
  std::span<const MerkleProof> inclusion_proofs;
};

/// The sectors of one partition's circuit: as many as shape.circuit_sectors. A WinningPoSt's one sector becomes one for
/// each challenge; the last sector of a WindowPoSt is repeated where sectors are missing. Borrows the inclusion proofs.
/// Throws InputError when there is no sector, there are too many, or one has another number of inclusion proofs.
std::vector<PostCircuitSector> post_circuit_sectors(const PostShape& shape, std::span<const PostSectorProof> proofs);

/// Allocates and enforces the partition. Inputs in order: ONE, then for each sector comm_r and the positions of its
/// paths.
void synthesize_post(r1cs::Builder& cs, std::span<const PostCircuitSector> sectors);

/// The circuit of a partition; what `sectors` borrow must outlive it.
r1cs::Circuit post_circuit(std::vector<PostCircuitSector> sectors);

/// The circuit's shape, on placeholder values: for counts, digests and setup.
r1cs::Circuit post_shape_circuit(const PostShape& shape);

/// The same in structured form, as r1cs::record(post_shape_circuit(shape)) gives it. Only one sector's rows are made,
/// so that it takes moments at every size.
r1cs::StructuredR1cs record_post(const PostShape& shape);

}  // namespace proofline::filecoin
