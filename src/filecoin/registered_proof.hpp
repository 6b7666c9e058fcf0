#pragma once
/// The registered proofs: what chain and files call each proof of a storage provider, and what follows from that. One
/// table for each of PoRep (seal), proof of spacetime and sector update.
/// Sources: the numbers are those of Go's abi package (go-state-types abi/sector.go), the names those of
/// rust-fil-proofs' API (filecoin-proofs-api registry.rs).
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "filecoin/post_shape.hpp"
#include "filecoin/sector_shape.hpp"
#include "filecoin/update_shape.hpp"

namespace proofline::filecoin {

/// How challenges and parents are derived.
enum class ApiVersion { kV1_0, kV1_1, kV1_2 };
enum class SealFeature { kNone, kSyntheticPoRep, kNonInteractivePoRep };

/// Go's abi.RegisteredSealProof, abi.RegisteredPoStProof and abi.RegisteredUpdateProof.
enum class RegisteredSealProof : std::int64_t {};
enum class RegisteredPoStProof : std::int64_t {};
enum class RegisteredUpdateProof : std::int64_t {};

struct SealProofInfo {
  RegisteredSealProof proof{};
  std::string_view json_name;   ///< "StackedDrg2KiBV1_1"
  std::string_view shape_name;  ///< key in a C1's vanilla_proofs: "StackedDrg2KiBV1"
  ApiVersion api_version{};
  SealFeature feature{};
  std::uint64_t sector_size = 0;
  std::array<std::uint8_t, 32> porep_id{};

  const SectorShape& shape() const { return sector_shape(sector_size); }
  std::string circuit_id() const;  ///< "porep-2k", whatever the feature
  /// Circuits, and so Groth16 proofs, of a sector: the shape's, or for non-interactive PoRep 13 or 126.
  unsigned partitions() const;
  /// Bytes of all partitions' proofs, one after another. (On chain, non-interactive proofs are always aggregated.)
  std::size_t proof_bytes() const;
};

/// The number counts winning, then window, then window with api V1_2. The last are those that Go calls V1_1.
struct PoStProofInfo {
  RegisteredPoStProof proof{};
  std::string_view json_name;  ///< "StackedDrgWindow2KiBV1_2"
  PostKind kind{};
  ApiVersion api_version{};
  std::uint64_t sector_size = 0;

  PostShape shape() const { return post_shape(kind, sector_shape(sector_size)); }
  std::string circuit_id() const;  ///< "winning-2k", "wpost-2k"
  /// Circuits, and so Groth16 proofs, for that many sectors. Throws InputError as post_partitions does.
  std::size_t partitions(std::size_t sectors) const { return post_partitions(shape(), sectors); }
  std::size_t proof_bytes(std::size_t sectors) const;
};

struct UpdateProofInfo {
  RegisteredUpdateProof proof{};
  std::string_view json_name;  ///< "StackedDrg2KiBV1"
  ApiVersion api_version{};
  std::uint64_t sector_size = 0;

  const UpdateShape& shape() const { return update_shape(sector_size); }
  std::string circuit_id() const;  ///< "snap-2k"
  unsigned partitions() const { return shape().partitions; }
  std::size_t proof_bytes() const;
};

/// The whole tables, by number.
std::span<const SealProofInfo> seal_proofs();
std::span<const PoStProofInfo> post_proofs();
std::span<const UpdateProofInfo> update_proofs();

/// Each throws InputError for a number that is not in its table.
const SealProofInfo& seal_proof_info(RegisteredSealProof proof);
const PoStProofInfo& post_proof_info(RegisteredPoStProof proof);
const UpdateProofInfo& update_proof_info(RegisteredUpdateProof proof);

/// Each throws InputError naming the nearest known name.
const SealProofInfo& seal_proof_info(std::string_view json_name);
const PoStProofInfo& post_proof_info(std::string_view json_name);
const UpdateProofInfo& update_proof_info(std::string_view json_name);

/// The interactive proof of a size and version. Throws InputError when there is none.
const SealProofInfo& seal_proof_info(std::uint64_t sector_size, ApiVersion version);
/// The update proof of a size; null for a size that the chain has none for.
const UpdateProofInfo* find_update_proof(std::uint64_t sector_size);

}  // namespace proofline::filecoin
