#pragma once
/// RegisteredSealProof: the numbers of Go's abi package, the names of rust-fil-proofs' JSON.
#include <array>
#include <cstdint>
#include <string_view>

#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

/// How challenges and parents are derived.
enum class ApiVersion { kV1_0, kV1_1, kV1_2 };
enum class SealFeature { kNone, kSyntheticPoRep, kNonInteractivePoRep };

/// Go's abi.RegisteredSealProof.
enum class RegisteredSealProof : std::int64_t {};

/// One row of the table.
struct SealProofInfo {
  RegisteredSealProof proof{};
  std::string_view json_name;   ///< "StackedDrg2KiBV1_1"
  std::string_view shape_name;  ///< key in a C1's vanilla_proofs: "StackedDrg2KiBV1"
  ApiVersion api_version{};
  SealFeature feature{};
  std::uint64_t sector_size = 0;
  std::array<std::uint8_t, 32> porep_id{};

  const SectorShape& shape() const { return sector_shape(sector_size); }
};

/// Throws InputError for a number that is not in the table.
const SealProofInfo& seal_proof_info(RegisteredSealProof proof);
/// Throws InputError naming the nearest known name.
const SealProofInfo& seal_proof_info(std::string_view json_name);
/// The interactive proof of a size and version.
const SealProofInfo& seal_proof_info(std::uint64_t sector_size, ApiVersion version);

}  // namespace proofline::filecoin
