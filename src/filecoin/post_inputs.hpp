#pragma once
/// The public inputs of proofs of spacetime, derived from what the chain knows.
#include <span>
#include <vector>

#include "filecoin/post_proof.hpp"

namespace proofline::filecoin {

/// Throws InputError unless the randomness is a field element, there are as many sectors as the kind of proof takes,
/// and their ids ascend: a sector out of order or given twice is named.
void check_statement(const PostStatement& statement);

/// The sectors of one partition, without the repetitions that fill a last one. Borrows `statement`.
/// Throws InputError when the partition does not exist.
std::span<const PostSector> partition_sectors(const PostStatement& statement, std::size_t partition);

/// The challenges of the sector at place `i` of a partition.
std::vector<std::uint64_t> partition_challenges(const PostStatement& statement, std::size_t partition, std::size_t i);

/// The public inputs of one partition, without ONE: for each sector of the circuit comm_r and its challenges.
/// Throws InputError when the partition does not exist or the randomness is no field element.
std::vector<math::Fr> post_public_inputs(const PostStatement& statement, std::size_t partition);

}  // namespace proofline::filecoin
