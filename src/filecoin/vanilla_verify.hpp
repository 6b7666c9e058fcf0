#pragma once
/// Checking a vanilla proof (C1) before it is proved.
#include <cstddef>
#include <span>
#include <string_view>

#include "base/executor.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Checks everything that the PoRep circuit will enforce, and that each part is about the right node:
/// counts; comm_r from comm_c and comm_r_last, the same in all of a partition's challenges; challenges as
/// the registered proof's rule gives them; parents as the graph gives them; each Merkle path (root, position, and that
/// the leaf leads to the root); column hashes; each layer's label recomputed from its parents' labels; and the encoding
/// of the data into the replica. Stricter than the reference in one thing: the parents that a labeling proof lists must
/// be those of the parents' columns. Throws InputError naming `name`, the field (as in the JSON), the partition's
/// challenge and what was expected; when several things are wrong, any one of them. Source: Filecoin specification,
/// PoRep; rust-fil-proofs' vanilla verifier.
void verify_vanilla(const VanillaProof& proof, std::string_view name = "vanilla proof",
                    const Executor& exec = Executor(1));

/// The same for partition k alone. Throws InputError also when the registered proof has no such partition.
void verify_vanilla_partition(const VanillaHeader& header, std::size_t k, std::span<const ChallengeProof> challenges,
                              std::string_view name = "vanilla proof", const Executor& exec = Executor(1));

}  // namespace proofline::filecoin
