#include "cli/request_files.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/post_files.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/circuit_id.hpp"
#include "filecoin/post_statement_file.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/update_bincode.hpp"

namespace proofline::cli {
namespace {

engine::Bytes file_bytes(const std::filesystem::path& path) {
  const MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

std::uint64_t registered_post(const filecoin::PostStatement& statement) {
  for (const filecoin::PoStProofInfo& info : filecoin::post_proofs()) {
    if (info.kind == statement.shape.kind && info.api_version == statement.version &&
        info.sector_size == statement.shape.sector->sector_size) {
      return static_cast<std::uint64_t>(info.proof);
    }
  }
  throw InputError("post.json: no registered proof has this size and api_version");
}

std::vector<engine::ProofRequest> post_requests(const std::filesystem::path& folder) {
  PostFlags flags;
  flags.kind = post_name(filecoin::read_post_statement(folder / "post.json").shape.kind);
  const PostSource source = post_source({folder.string()}, "", flags);
  const filecoin::PostStatement& about = source.statement;
  engine::ProofRequest common;
  common.kind = filecoin::circuit_kind(about.shape.kind);
  common.sector_size = about.shape.sector->sector_size;
  common.registered_proof = registered_post(about);
  common.randomness = about.randomness;
  std::vector<engine::ProofRequest> out(filecoin::post_partitions(about.shape, about.sectors.size()), common);
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    const std::size_t partition = i / about.shape.sectors_per_partition();
    out[partition].partition_index = partition;
    out[partition].vanilla.push_back(file_bytes(source.files[i]));
  }
  return out;
}

engine::ProofRequest update_request(const std::filesystem::path& folder) {
  const filecoin::UpdateStatement about = read_update_folder(folder).statement;
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kUpdate;
  out.sector_size = about.sector_size;
  out.comm_r_old = about.comm_r_old.to_bytes();
  out.comm_r_new = about.comm_r_new.to_bytes();
  out.comm_d_new = about.comm_d_new.to_bytes();
  for (unsigned k = 0; k < about.shape().partitions; ++k) {
    out.vanilla.push_back(file_bytes(filecoin::update_partition_file(folder, k)));
  }
  return out;
}

}  // namespace

std::vector<engine::ProofRequest> requests_of(const std::filesystem::path& path) {
  if (std::filesystem::exists(path / "post.json")) return post_requests(path);
  if (std::filesystem::exists(path / "update.json")) return {update_request(path)};
  if (std::filesystem::is_directory(path)) {
    throw InputError(path.string() + ": expected a C1 file, or a folder with post.json or update.json");
  }
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kPorep;
  out.c1 = file_bytes(path);
  return {std::move(out)};
}

}  // namespace proofline::cli
