#pragma once
/// Making and checking the partition proofs (vanilla proofs) of a sector update.
#include <filesystem>
#include <string_view>

#include "base/executor.hpp"
#include "filecoin/node_file.hpp"
#include "filecoin/replica_tree.hpp"
#include "filecoin/update_files.hpp"

namespace proofline::filecoin {

/// An updated sector's files, ready to be opened at the update's challenges.
class UpdatedSector {
 public:
  /// Maps, of the sealed sector in `sector`, sector.json, sealed, p_aux and tree_r_last; of the update in `update`,
  /// update.json, replica, p_aux, tree_d and tree_r_last. Throws IoError for a file that cannot be read; InputError
  /// naming the file when it has the wrong length, or when roots and commitments of the two folders disagree.
  UpdatedSector(const std::filesystem::path& sector, const std::filesystem::path& update);

  const UpdateStatement& statement() const { return info_.statement; }

  /// The partition's proof. It has not been verified: damage inside a file is found by verify_update_partition.
  /// Throws InputError when the partition does not exist or a node on the way is no field element.
  UpdatePartitionProof open(unsigned partition, const Executor& exec) const;

 private:
  std::vector<math::Fr> apex_leaves(unsigned partition) const;

  UpdateInfo info_;
  const SectorShape& shape_;
  SectorFiles old_files_;
  UpdateFiles new_files_;
  NodeFile p_aux_old_, p_aux_new_, tree_d_file_;
  ReplicaTree r_old_, r_new_;
  TreeOpener tree_d_;
};

/// Checks everything that the circuit will enforce, and that each part is about the right node: counts; comm_r_old and
/// comm_r_new from comm_c and the replica trees' roots; challenges; each of the three Merkle paths (root, position, and
/// that the leaf leads to the root); the encoding of the data into the new replica; and that the apex leaves are those
/// on the way. Stricter than the reference in one thing: a path's siblings in the apex tree must be at their places,
/// not anywhere in the row. Throws InputError naming `name`, the challenge, the part and what was expected. Source:
/// FIP-0019; rust-fil-proofs storage-proofs-update/src/vanilla.rs.
void verify_update_partition(const UpdateStatement& statement, unsigned partition, const UpdatePartitionProof& proof,
                             std::string_view name, const Executor& exec);

}  // namespace proofline::filecoin
