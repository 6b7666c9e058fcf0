#pragma once
/// Where parameter files and recorded circuits lie, and whether a parameter file is the published one.
#include <filesystem>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "filecoin/circuit_id.hpp"

namespace proofline::engine {

/// As the reference: FIL_PROOFS_PARAMETER_CACHE, or /var/tmp/filecoin-proof-parameters.
std::filesystem::path parameter_cache_directory();

/// $XDG_CACHE_HOME/proofline, or $HOME/.cache/proofline; empty when the environment has neither.
std::filesystem::path circuit_cache_directory();

/// The circuit's parameter file in a folder, by the reference's name.
std::filesystem::path parameter_file_in(const std::filesystem::path& folder, const filecoin::CircuitName& circuit);

/// What to tell somebody who has no parameter file: where it is expected and how to get it.
std::string missing_parameters(std::string_view circuit_id, const filecoin::CircuitName& circuit,
                               const std::filesystem::path& file);

/// Checks that the file's digest is the one that `published` lists for its name. With a state_folder, which is made
/// when it is not there, a file found good is remembered by path, size and time of change and not read again until one
/// of them or its listed digest changes. Throws InputError naming the file when it is not listed or has another digest;
/// IoError when a file cannot be read or written.
void require_published(const std::filesystem::path& file, const std::filesystem::path& published,
                       const std::filesystem::path& state_folder, Progress& progress);

}  // namespace proofline::engine
