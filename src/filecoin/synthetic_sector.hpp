#pragma once
/// Vanilla proofs (C1) of sectors that were never sealed, of any size in seconds: for tests and measurements.
/// They satisfy the vanilla verifier and the circuit as a sealed sector's do.
///
/// Every leaf of the data is the same node. Only challenged nodes and their parents have labels: those of
/// challenged nodes are computed as sealing would, the others invented; all other columns and replica nodes are
/// one node each. This proves no storage: the challenges are known before the trees are made. On chain
/// comm_r comes first and the seed is drawn later, so that labels cannot be made to fit.
#include <cstdint>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/sector_files.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Prover, sector number, ticket and challenge seed of the synthetic sectors made from `seed`.
SectorIds synthetic_ids(std::uint64_t seed);

/// The proof of the sector made from `seed`: the same seed gives the same proof, whatever the number of threads.
/// Throws InputError unless `info` is an interactive proof.
VanillaProof synthesize_sector(const SealProofInfo& info, std::uint64_t seed, const Executor& exec, Progress& progress);

}  // namespace proofline::filecoin
