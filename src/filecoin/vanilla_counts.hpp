#pragma once
/// The sizes of a vanilla proof's parts.
#include <cstddef>
#include <span>
#include <string_view>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Checks that a vanilla proof has as many partitions as the registered proof says. Throws InputError naming `name`.
void check_partition_count(RegisteredSealProof proof, std::size_t count, std::string_view name);

/// Checks that partition k's challenges, parents, layers, path levels, siblings and indices are as many and as large as
/// the registered proof's shape says. Throws InputError naming `name`, field and expectation.
void check_counts(RegisteredSealProof proof, std::size_t k, std::span<const ChallengeProof> challenges,
                  std::string_view name);

}  // namespace proofline::filecoin
