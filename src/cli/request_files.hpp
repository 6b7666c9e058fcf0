#pragma once
/// Requests for proofs, from the files that the other commands write.
#include <filesystem>
#include <vector>

#include "engine/proof_request.hpp"

namespace proofline::cli {

/// What the engine is asked for to prove what is at `path`: a C1 file; a folder of `post vanilla` or `post synthesize`,
/// a request for each partition; or a folder of `update vanilla` or `update synthesize`. Throws InputError naming a
/// folder that is none of these, IoError for files that cannot be read, and what reading post.json and update.json
/// throws.
std::vector<engine::ProofRequest> requests_of(const std::filesystem::path& path);

}  // namespace proofline::cli
