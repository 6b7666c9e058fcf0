#pragma once
/// Checking vanilla proofs of spacetime.
#include <span>
#include <string_view>

#include "base/executor.hpp"
#include "filecoin/post_proof.hpp"

namespace proofline::filecoin {

/// Checks one sector's proof: comm_r is the Poseidon hash of comm_c and comm_r_last, there is a path for each
/// challenge, it has the levels of the sector's tree, stands at the challenged leaf and leads to comm_r_last. Throws
/// InputError beginning with `name` and the sector, naming the first thing that is wrong.
void verify_post_sector(const PostSectorProof& proof, const PostShape& shape, std::span<const std::uint64_t> challenges,
                        std::string_view name, const Executor& exec);

/// Checks the proofs of one partition against the statement: they are of its sectors, in its order, and hold.
/// Throws InputError beginning with `name` when a sector is missing, given twice, out of order or has another comm_r,
/// and for what verify_post_sector rejects.
void verify_post_partition(const PostStatement& statement, std::size_t partition,
                           std::span<const PostSectorProof> proofs, std::string_view name, const Executor& exec);

}  // namespace proofline::filecoin
