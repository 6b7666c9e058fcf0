#include "cli/update_folder.hpp"

#include "base/file.hpp"
#include "base/output_folder.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_vanilla.hpp"

namespace proofline::cli {

std::uint64_t write_update_partitions(const std::filesystem::path& out, const filecoin::UpdateInfo& info,
                                      const std::function<filecoin::UpdatePartitionProof(unsigned)>& open,
                                      const Executor& exec, Progress& progress) {
  const filecoin::UpdateShape& shape = info.statement.shape();
  OutputFolder folder(out);
  std::uint64_t total = 0;
  for (unsigned k = 0; k < shape.partitions; ++k) {
    const filecoin::UpdatePartitionProof proof = open(k);
    filecoin::verify_update_partition(info.statement, k, proof, "partition " + std::to_string(k), exec);
    const std::vector<std::uint8_t> bytes = filecoin::write_update_partition(proof, shape);
    AtomicFile file(filecoin::update_partition_file(folder.path(), k));
    file.write(bytes);
    file.commit();
    total += bytes.size();
    progress.report("partitions", k + 1, shape.partitions);
  }
  AtomicFile json(filecoin::UpdateFiles::info(folder.path()));
  json.write(filecoin::to_json(info));
  json.commit();
  folder.commit();
  return total;
}

filecoin::UpdateInfo read_update_folder(const std::filesystem::path& folder) {
  return filecoin::read_update_info(filecoin::UpdateFiles::info(folder));
}

}  // namespace proofline::cli
