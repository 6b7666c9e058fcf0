#pragma once
/// The sector update that the reference implementation made, as kept in tests/data.
#include <filesystem>

#include "filecoin/golden_sector.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_files.hpp"

namespace proofline::filecoin::test {

inline std::filesystem::path golden_update_sector() {
  return data_path("sectors/2k-1");
}
/// Staged data, new replica, cache and update.json.
inline std::filesystem::path golden_update_folder() {
  return data_path("sectors/update-2k-1");
}
inline UpdateStatement golden_update_statement() {
  return read_update_info(golden_update_folder() / "update.json").statement;
}
inline std::filesystem::path golden_update_vanilla_file() {
  return data_path("proofs/update-2k-1/vanilla-0.bin");
}
inline UpdatePartitionProof golden_update_proof() {
  return read_update_partition(golden_update_vanilla_file(), update_shape(2048));
}

}  // namespace proofline::filecoin::test
