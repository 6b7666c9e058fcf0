#pragma once
/// Folders of an update's partition proofs: update.json and vanilla-<partition>.bin.
#include <filesystem>
#include <functional>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/update_files.hpp"

namespace proofline::cli {

/// Makes, checks and writes the proofs one at a time into the new folder `out`. Returns the bytes of all proofs. On an
/// error nothing is left of `out`.
std::uint64_t write_update_partitions(const std::filesystem::path& out, const filecoin::UpdateInfo& info,
                                      const std::function<filecoin::UpdatePartitionProof(unsigned)>& open,
                                      const Executor& exec, Progress& progress);

/// update.json of an update's folder or of a folder of partition proofs.
filecoin::UpdateInfo read_update_folder(const std::filesystem::path& folder);

}  // namespace proofline::cli
