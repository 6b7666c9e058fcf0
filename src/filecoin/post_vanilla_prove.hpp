#pragma once
/// Making vanilla proofs of spacetime from sealed sectors.
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/post_proof.hpp"
#include "filecoin/sector_files.hpp"

namespace proofline::filecoin {

/// A sealed sector on disk, as a proof of spacetime needs it: `sealed`, the tree_r_last files and p_aux.
struct PostReplica {
  PostSector sector;
  const SectorShape* shape = nullptr;  ///< of the table of sector shapes
  SectorFiles files;
};

/// The sector in `folder`: id, size and comm_r from sector.json. The other files are not looked at.
/// Throws IoError or InputError naming the file.
PostReplica post_replica(const std::filesystem::path& folder);

/// Opens the replica at `challenges` and checks the result. Files are mapped; the rows of tree_r_last that are not
/// stored are hashed anew where paths cross them.
/// Throws IoError for a file that cannot be read; InputError naming the file when it has the wrong length, and naming
/// the sector when a path does not lead to comm_r_last or p_aux does not hash to comm_r: the sector is then faulty.
PostSectorProof prove_post_sector(const PostReplica& replica, const PostShape& shape,
                                  std::span<const std::uint64_t> challenges, const Executor& exec);

/// Sectors that cannot be proved. A provider declares them to the chain and proves the others.
class FaultySectorsError : public InputError {
 public:
  /// `reasons` has one text a sector.
  FaultySectorsError(std::vector<std::uint64_t> ids, const std::vector<std::string>& reasons);
  /// Ascending.
  const std::vector<std::uint64_t>& sectors() const { return sectors_; }

 private:
  std::vector<std::uint64_t> sectors_;
};

/// Proves all sectors of the statement, one after another, and hands each proof to `sink`; replicas[i] is the one of
/// statement.sectors[i]. Every sector is tried: those that fail, for whatever reason, are faulty.
/// Throws InputError when statement and replicas do not fit; FaultySectorsError after the last sector.
void prove_post_vanilla(const PostStatement& statement, std::span<const PostReplica> replicas,
                        const std::function<void(const PostSectorProof&)>& sink, const Executor& exec,
                        Progress& progress);

}  // namespace proofline::filecoin
