#pragma once
/// C1 files: the vanilla proof as JSON, exactly as rust-fil-proofs' serde writes SealCommitPhase1Output,
/// alone or in the envelope {"SectorNum", "Phase1Out" (base64), "SectorSize"} of lotus-bench and Curio.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// What a C1 file holds.
struct C1 {
  VanillaProof proof;
  std::optional<std::int64_t> sector_number;  ///< from the envelope
};

/// Parses either form. Keys may come in any order; unknown keys are ignored. All counts are those of the
/// registered proof's shape, all field elements canonical, all indices in range: a circuit can be built
/// from the result. Throws InputError with `name`, the path of the field and what was expected there.
C1 parse_c1(std::span<const std::uint8_t> text, std::string_view name);

/// parse_c1 of a file, which the messages name. Throws IoError when it cannot be read.
C1 read_c1_file(const std::filesystem::path& path);

/// The JSON text, byte for byte what the reference writes.
std::string write_c1(const VanillaProof& proof);
/// The same inside the envelope.
std::string write_c1_envelope(const VanillaProof& proof, std::int64_t sector_number);

}  // namespace proofline::filecoin
