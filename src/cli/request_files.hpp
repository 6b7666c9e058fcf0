#pragma once
/// Requests for proofs, from the files that the other commands write.
#include <filesystem>
#include <vector>

#include "cli/post_files.hpp"
#include "engine/proof_request.hpp"
#include "filecoin/registered_proof.hpp"

namespace proofline::cli {

/// Of the C1 of a sector with these rules.
engine::ProofRequest porep_request(const filecoin::SealProofInfo& info, engine::Bytes c1);
/// Of a C1 file. Throws what C1Reader throws.
engine::ProofRequest porep_request(const std::filesystem::path& c1);

/// How many requests a proof of spacetime takes, and each of them; `partition` is below that number. Throws InputError
/// when the chain has no such proof.
std::size_t post_partitions_of(const PostSource& source);
engine::ProofRequest post_request(const PostSource& source, std::size_t partition);

/// Of a folder of `update vanilla` or `update synthesize`. Throws InputError when the chain has no such proof.
engine::ProofRequest update_request(const std::filesystem::path& folder);

/// What the engine is asked for to prove what is at `path`: a C1 file; a folder of `post vanilla` or `post synthesize`,
/// a request for each partition; or a folder of `update vanilla` or `update synthesize`. Throws InputError naming a
/// folder that is none of these, IoError for files that cannot be read, and what reading post.json and update.json
/// throws.
std::vector<engine::ProofRequest> requests_of(const std::filesystem::path& path);

}  // namespace proofline::cli
