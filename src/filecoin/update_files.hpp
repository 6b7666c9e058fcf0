#pragma once
/// An updated sector's folder: which file is where, and update.json.
#include <filesystem>
#include <string>

#include "filecoin/sector_files.hpp"
#include "filecoin/update_proof.hpp"

namespace proofline::filecoin {

/// Paths inside an update's folder; the cache's files are named as a sealed sector's.
class UpdateFiles {
 public:
  UpdateFiles(const std::filesystem::path& folder, const SectorShape& shape) : files_(folder, shape) {}

  static std::filesystem::path info(const std::filesystem::path& folder) { return folder / "update.json"; }

  std::filesystem::path info() const { return info(files_.folder()); }
  std::filesystem::path staged() const { return files_.staged(); }               ///< new data after fr32 padding
  std::filesystem::path replica() const { return files_.folder() / "replica"; }  ///< the new replica
  std::filesystem::path cache() const { return files_.cache(); }
  std::filesystem::path p_aux() const { return files_.p_aux(); }    ///< comm_c || comm_r_last of the new replica
  std::filesystem::path tree_d() const { return files_.tree_d(); }  ///< over the new data, all rows
  const SectorFiles& trees() const { return files_; }

 private:
  SectorFiles files_;
};

/// The content of update.json.
struct UpdateInfo {
  UpdateStatement statement;
  std::uint64_t data_bytes = 0;  ///< length of the file that was encoded
};

/// JSON text, ending in a newline: comm_d_new, comm_r_new and comm_r_old in hex, registered_proof (null for a size
/// without one), sector_size and data_bytes.
std::string to_json(const UpdateInfo& info);

/// Reads update.json. Without sector_size the size is registered_proof's, and without data_bytes the whole sector is
/// data. Throws IoError when the file cannot be read, InputError naming file and key otherwise.
UpdateInfo read_update_info(const std::filesystem::path& file);

}  // namespace proofline::filecoin
