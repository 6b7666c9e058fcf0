#pragma once
/// How the subcommands of `prove` end.
#include <span>
#include <string>
#include <string_view>

#include "base/stage_recorder.hpp"
#include "cli/command.hpp"
#include "groth16/proof.hpp"

namespace proofline::cli {

/// Writes the proofs one after another to the file `out` and prints what was done: `what` ("proof of 2 partitions") and
/// the stages, or as JSON the members of `about` with file, bytes, times and memory around them. Returns kDone.
int write_proofs(const Common& common, const std::string& out, std::span<const groth16::Proof> proofs,
                 StageRecorder& recorder, std::string_view what, const Json& about);

/// "1 partition", "2 partitions"
std::string counted(std::size_t count, std::string_view thing);

}  // namespace proofline::cli
