#pragma once
/// Updating sealed sectors with new data (SnapDeals): folders in, folders out. Files are mapped and worked through in
/// parts, in parallel.
#include <filesystem>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/update_files.hpp"

namespace proofline::filecoin {

/// Encodes the file `data` under the sector in `sector` (sealed, cache/p_aux and sector.json are read, nothing is
/// changed) into the new folder `out`: staged, replica, cache/ with tree_d, tree_r_last and p_aux, update.json (see
/// UpdateFiles). Disk: four times the sector's size; memory besides mapped files: a seventh of a base tree. Throws
/// InputError when the data does not fit, the sector's size has no updates or its files disagree; IoError for what the
/// file system refuses. On an error nothing is left of `out`. Source: rust-fil-proofs
/// filecoin-proofs/src/api/update.rs, encode_into.
UpdateInfo update_sector(const std::filesystem::path& sector, const std::filesystem::path& data,
                         const std::filesystem::path& out, const Executor& exec, Progress& progress);

/// Recovers the file that the update in `update` holds into `out`, which is replaced if it exists: reads `sealed`,
/// p_aux and sector.json of the sector, replica and update.json of the update. Returns the file's length. Memory
/// besides mapped files: a few MiB. Throws InputError when the two do not belong together or the data is not
/// comm_d_new's. Source: as above, decode_from.
std::uint64_t decode_updated_sector(const std::filesystem::path& update, const std::filesystem::path& sector,
                                    const std::filesystem::path& out, const Executor& exec, Progress& progress);

/// Recovers the sealed replica under the update in `update` (replica, staged, p_aux and update.json are read) into the
/// new folder `out`: sealed, and cache/ with tree_r_last and p_aux. Returns comm_r_last. Throws InputError when what
/// comes out is not comm_r_old's. Source: as above, remove_encoded_data; there comm_r_old comes from the sector's own
/// p_aux, here from update.json.
Node remove_updated_data(const std::filesystem::path& update, const std::filesystem::path& out, const Executor& exec,
                         Progress& progress);

}  // namespace proofline::filecoin
