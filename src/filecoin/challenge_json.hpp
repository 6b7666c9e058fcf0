#pragma once
/// The JSON of one partition's challenge proofs, as it stands in a C1 file.
#include <string>
#include <vector>

#include "filecoin/json_path.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Parses the array of a partition's challenges, whose Poseidon trees have the given shape. Field elements are
/// canonical; counts are not checked. Throws InputError as parse_c1 does, `path` being where the array stands.
std::vector<ChallengeProof> parse_challenges(std::string text, const TreeShape& tree, JsonPath path);

}  // namespace proofline::filecoin
