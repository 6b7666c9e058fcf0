#pragma once
/// The tree over a replica as it is stored: leaves in the replica, upper rows in the files of tree_r_last.
#include <filesystem>
#include <vector>

#include "filecoin/node_file.hpp"
#include "filecoin/sector_files.hpp"
#include "filecoin/tree_opener.hpp"

namespace proofline::filecoin {

/// Maps a replica and its tree, to open leaves. Safe to use from several threads.
class ReplicaTree {
 public:
  /// The files of tree_r_last are those in the cache of `files`. Throws IoError for a file that cannot be read,
  /// InputError naming the file when it has the wrong length.
  ReplicaTree(const std::filesystem::path& replica, const SectorFiles& files, const TreeShape& shape,
              std::uint64_t nodes);

  const Node& root() const { return opener_.root(); }
  /// Throws InputError naming the files when a node on the way is no field element.
  MerkleProof open(std::uint64_t leaf) const;

 private:
  NodeFile replica_;
  std::vector<NodeFile> upper_;  ///< one a base tree
  std::string names_;
  TreeOpener opener_;
};

}  // namespace proofline::filecoin
