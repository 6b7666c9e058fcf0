#pragma once
/// A sealed sector's folder: which file is where, and sector.json. The names are the reference's, so that
/// its folders can be read too.
#include <cstdint>
#include <filesystem>
#include <optional>

#include "filecoin/node_hash.hpp"
#include "filecoin/registered_proof.hpp"

namespace proofline::filecoin {

/// Paths inside a sector's folder. Of trees with several base trees, base tree i has a file of its own.
class SectorFiles {
 public:
  SectorFiles(std::filesystem::path folder, const SectorShape& shape);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path info() const { return folder_ / "sector.json"; }
  std::filesystem::path staged() const { return folder_ / "staged"; }  ///< data after fr32 padding
  std::filesystem::path sealed() const { return folder_ / "sealed"; }  ///< the replica
  std::filesystem::path cache() const { return folder_ / "cache"; }
  std::filesystem::path p_aux() const { return cache() / "p_aux"; }  ///< comm_c || comm_r_last
  std::filesystem::path layer(unsigned number) const;                ///< labels; 1 is the first layer
  std::filesystem::path tree_d() const;                              ///< all rows
  std::filesystem::path tree_c(unsigned base_tree) const;            ///< all rows
  std::filesystem::path tree_r_last(unsigned base_tree) const;       ///< rows above the discarded ones

 private:
  std::filesystem::path tree(const char* name, unsigned base_tree) const;
  std::filesystem::path folder_;
  unsigned base_trees_;
};

/// What fixes graph and encoding of a sector. Sizes without a registered proof (4, 16, 32 KiB, 16 MiB,
/// 1 GiB) can be sealed too; they have no C1 file.
struct SealRules {
  std::uint64_t sector_size = 0;
  ApiVersion version = ApiVersion::kV1_1;
  Bytes32 porep_id{};
  std::optional<RegisteredSealProof> proof;

  const SectorShape& shape() const { return sector_shape(sector_size); }
};

/// The rules of a registered proof, or, for a size without one, the porep id of the 2 KiB proof.
/// Throws InputError for V1_2, which has no interactive proofs.
SealRules seal_rules(std::uint64_t sector_size, ApiVersion version);
SealRules seal_rules(const SealProofInfo& info);

/// Who seals what, chosen by the caller.
struct SectorIds {
  Bytes32 prover_id{};
  std::uint64_t sector_id = 0;
  Bytes32 ticket{};
  Bytes32 seed{};  ///< for the challenges of a later proof
};

/// The content of sector.json.
struct SectorInfo {
  SealRules rules;
  SectorIds ids;
  std::uint64_t data_bytes = 0;           ///< length of the file that was sealed
  std::uint64_t piece_unpadded_size = 0;  ///< 127 * 2^k
  Node piece_commitment{};
  Node comm_d{};
  Node comm_r{};
  Node replica_id{};
};

/// JSON text, ending in a newline: the reference folders' keys, and sector_size, api_version, porep_id,
/// data_bytes.
std::string to_json(const SectorInfo& info);
/// Reads sector.json. Keys that reference folders lack are derived from registered_proof; unknown keys are
/// ignored. Throws IoError when the file cannot be read, InputError naming file and key otherwise.
SectorInfo read_sector_info(const std::filesystem::path& file);

}  // namespace proofline::filecoin
