#pragma once
/// The sizes of a vanilla proof's parts.
#include <string_view>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Checks that partitions, challenges, parents, layers, path levels, siblings and indices are as many and
/// as large as the registered proof's shape says. Throws InputError naming `name`, field and expectation.
void check_counts(const VanillaProof& proof, std::string_view name);

}  // namespace proofline::filecoin
