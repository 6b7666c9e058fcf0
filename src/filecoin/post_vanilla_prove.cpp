#include "filecoin/post_vanilla_prove.hpp"

#include <string>

#include "filecoin/node_file.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_vanilla_verify.hpp"
#include "filecoin/replica_tree.hpp"

namespace proofline::filecoin {
namespace {

std::string fault_list(const std::vector<std::uint64_t>& ids, const std::vector<std::string>& reasons) {
  std::string out = "faulty sectors:";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out += (i == 0 ? " " : "; ") + std::to_string(ids[i]) + " (" + reasons[i] + ")";
  }
  return out;
}

}  // namespace

PostReplica post_replica(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "sector.json";
  const SectorInfo info = read_sector_info(file);
  const SectorShape& shape = info.rules.shape();
  return {{info.ids.sector_id, node_to_fr(info.comm_r, file.string() + ": comm_r")}, &shape, {folder, shape}};
}

PostSectorProof prove_post_sector(const PostReplica& replica, const PostShape& shape,
                                  std::span<const std::uint64_t> challenges, const Executor& exec) {
  const SectorShape& sector = *shape.sector;
  if (replica.shape->sector_size != sector.sector_size) {
    throw InputError(replica.files.info().string() + ": a sector of " + std::string(replica.shape->name) +
                     "; expected " + std::string(sector.name));
  }
  const NodeFile p_aux(replica.files.p_aux(), 2);
  const ReplicaTree tree(replica.files.sealed(), replica.files, sector.tree, sector.nodes());

  PostSectorProof out{replica.sector, std::vector<MerkleProof>(challenges.size()), p_aux.at(0), p_aux.at(1)};
  exec.parallel_for(challenges.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) out.inclusion_proofs[n] = tree.open(challenges[n]);
  });
  verify_post_sector(out, shape, challenges, replica.files.folder().string(), exec);
  return out;
}

FaultySectorsError::FaultySectorsError(std::vector<std::uint64_t> ids, const std::vector<std::string>& reasons)
    : InputError(fault_list(ids, reasons)), sectors_(std::move(ids)) {}

void prove_post_vanilla(const PostStatement& statement, std::span<const PostReplica> replicas,
                        const std::function<void(const PostSectorProof&)>& sink, const Executor& exec,
                        Progress& progress) {
  check_statement(statement);
  if (replicas.size() != statement.sectors.size()) {
    throw InputError("vanilla proofs: " + std::to_string(replicas.size()) + " replicas of " +
                     std::to_string(statement.sectors.size()) + " sectors");
  }
  const std::size_t size = statement.shape.sectors_per_partition();
  std::vector<std::uint64_t> faulty;
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    if (!(replicas[i].sector == statement.sectors[i])) {
      throw InputError(replicas[i].files.info().string() + ": the replica of sector " +
                       std::to_string(replicas[i].sector.id) + "; expected that of sector " +
                       std::to_string(statement.sectors[i].id) + " with the statement's comm_r");
    }
    progress.report("open sectors", i, replicas.size());
    PostSectorProof proof;
    try {
      proof =
          prove_post_sector(replicas[i], statement.shape, partition_challenges(statement, i / size, i % size), exec);
    } catch (const Error& error) {
      faulty.push_back(statement.sectors[i].id);
      reasons.emplace_back(error.what());
      continue;
    }
    sink(proof);
  }
  if (!faulty.empty()) throw FaultySectorsError(std::move(faulty), reasons);
}

}  // namespace proofline::filecoin
