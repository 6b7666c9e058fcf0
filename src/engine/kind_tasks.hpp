#pragma once
/// The tasks of each kind; make_task (engine/proof_task.hpp) chooses among them. Each throws InputError beginning with
/// the field of the request that is wrong.
#include <memory>

#include "engine/proof_task.hpp"

namespace proofline::engine {

/// The C1 says what is proved; registered_proof and sector_size, where given, must be its own. It stays text: every
/// partition is parsed once here, so that what is malformed is refused early, and again for its witness.
std::shared_ptr<const ProofTask> make_porep_task(ProofRequest request);

/// WinningPoSt and WindowPoSt. The vanilla proofs stay bytes until their witness is made; at once only their heads are
/// read. They are taken in any order, as in the reference, which looks up each sector's proof; the statement's sectors
/// ascend (Curio sends them so, too: its tasks/window sorts them by number and closes up over skipped ones). Without
/// registered_proof the rules are those of the network today: V1 for WinningPoSt, V1_2 for WindowPoSt.
///
/// A WindowPoSt's request is one partition: at most 2349 sectors of 32 GiB, 2300 of 64 GiB, 2 of other sizes. Its
/// partition_index counts in challenges as in the reference: rust-fil-proofs' generate_single_window_post_with_vanilla
/// gets only the partition's sectors, with `k: Some(partition_index)`, and its vanilla verifier
/// (storage-proofs-post/src/fallback/vanilla.rs, verify) takes partition_index * sectors_per_partition + i as the index
/// of the sector at place i. Challenges depend on this index for V1 and V1_1 only (get_challenge_index); for V1_2,
/// all that the network takes today, every partition_index gives the same proof. The sectors that the circuit is built
/// from are never looked up by partition_index: the reference numbers circuits from 0 within a call. So the proofs of
/// all partitions, one after another, verify as one proof of all sectors, if each but the last is full.
std::shared_ptr<const ProofTask> make_post_task(ProofRequest request);

/// The vanilla proofs are one a partition, in order, and stay bytes until their witness is made.
std::shared_ptr<const ProofTask> make_update_task(ProofRequest request);

}  // namespace proofline::engine
