#pragma once
/// Sealing and unsealing of test sectors on a CPU: right before fast, 2 KiB to 1 GiB.
#include <filesystem>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/sector_files.hpp"

namespace proofline::filecoin {

/// Seals the file `data` into the new folder `out`: staged, sealed, cache/ and sector.json (see
/// SectorFiles). The file becomes one piece at the sector's start: it is filled with zeros up to the next
/// piece size (127 * 2^k bytes), and the rest of the sector is zeros.
/// Disk: about (5 + layers) times the sector size, all mapped; other memory: a seventh of the sector size.
/// Throws InputError when the file is too large for the sector or the sector too large for this function
/// (above 1 GiB); IoError for what the file system refuses. On an error nothing is left of `out`.
SectorInfo seal_sector(const std::filesystem::path& data, const std::filesystem::path& out, const SealRules& rules,
                       const SectorIds& ids, const Executor& exec, Progress& progress);

/// Recovers the sealed file from `sealed` and sector.json alone (labels are computed anew) into `out`, which
/// is replaced if it exists. Memory: three times the sector size. Returns the file's length.
/// Throws InputError when the replica has the wrong length or does not decode to the data of comm_d.
std::uint64_t unseal_sector(const std::filesystem::path& folder, const std::filesystem::path& out, const Executor& exec,
                            Progress& progress);

}  // namespace proofline::filecoin
