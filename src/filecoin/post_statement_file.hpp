#pragma once
/// post.json: what a proof of spacetime is about, for people and scripts.
///   {"proof": "window-post", "sector_size": 2048, "api_version": "V1_2", "randomness": hex,
///    "sectors": [{"id": 1, "comm_r": hex}, ...]}
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "filecoin/post_proof.hpp"

namespace proofline::filecoin {

/// JSON text, ending in a newline.
std::string to_json(const PostStatement& statement);

/// The inverse. In place of proof, sector_size and api_version there may be registered_proof, the name of
/// rust-fil-proofs' API ("StackedDrgWinning2KiBV1", "StackedDrgWindow2KiBV1_2"). Unknown keys are ignored.
/// Throws InputError beginning with `name` and the key, also when the statement is not sound (check_statement).
PostStatement parse_post_statement(std::span<const std::uint8_t> text, std::string_view name);

/// The same from a file. Throws IoError, too.
PostStatement read_post_statement(const std::filesystem::path& file);

}  // namespace proofline::filecoin
