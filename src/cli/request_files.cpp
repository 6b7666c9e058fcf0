#include "cli/request_files.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/c1_reader.hpp"
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

std::uint64_t registered_post(const PostSource& source) {
  const filecoin::PostStatement& about = source.statement;
  const auto proofs = filecoin::post_proofs();
  const auto info = std::ranges::find_if(proofs, [&](const filecoin::PoStProofInfo& one) {
    return one.kind == about.shape.kind && one.sector_size == about.shape.sector->sector_size &&
           one.api_version == about.version;
  });
  if (info == proofs.end()) throw InputError(source.name + ": the chain has no such proof of spacetime");
  return static_cast<std::uint64_t>(info->proof);
}

std::vector<engine::ProofRequest> post_requests(const std::filesystem::path& folder) {
  PostFlags flags;
  flags.kind = post_name(filecoin::read_post_statement(folder / "post.json").shape.kind);
  const PostSource source = post_source({folder.string()}, "", flags);
  std::vector<engine::ProofRequest> out;
  for (std::size_t k = 0; k < post_partitions_of(source); ++k) out.push_back(post_request(source, k));
  return out;
}

}  // namespace

engine::ProofRequest porep_request(const filecoin::SealProofInfo& info, engine::Bytes c1) {
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kPorep;
  out.sector_size = info.sector_size;
  out.registered_proof = static_cast<std::uint64_t>(info.proof);
  out.c1 = std::move(c1);
  return out;
}

engine::ProofRequest porep_request(const std::filesystem::path& c1) {
  return porep_request(filecoin::seal_proof_info(filecoin::C1Reader(c1).header().registered_proof), file_bytes(c1));
}

std::size_t post_partitions_of(const PostSource& source) {
  return filecoin::post_partitions(source.statement.shape, source.statement.sectors.size());
}

engine::ProofRequest post_request(const PostSource& source, std::size_t partition) {
  const filecoin::PostStatement& about = source.statement;
  engine::ProofRequest out;
  out.kind = filecoin::circuit_kind(about.shape.kind);
  out.sector_size = about.shape.sector->sector_size;
  out.registered_proof = registered_post(source);
  out.randomness = about.randomness;
  out.partition_index = about.partitions_before + partition;
  const std::size_t each = about.shape.sectors_per_partition();
  const std::size_t begin = partition * each;
  for (std::size_t i = begin; i < std::min(begin + each, source.files.size()); ++i) {
    out.vanilla.push_back(file_bytes(source.files[i]));
  }
  return out;
}

engine::ProofRequest update_request(const std::filesystem::path& folder) {
  const filecoin::UpdateStatement about = read_update_folder(folder).statement;
  const filecoin::UpdateProofInfo* info = filecoin::find_update_proof(about.sector_size);
  if (info == nullptr) throw InputError(folder.string() + ": the chain has no update proof of this sector size");
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kUpdate;
  out.sector_size = about.sector_size;
  out.registered_proof = static_cast<std::uint64_t>(info->proof);
  out.comm_r_old = about.comm_r_old.to_bytes();
  out.comm_r_new = about.comm_r_new.to_bytes();
  out.comm_d_new = about.comm_d_new.to_bytes();
  for (unsigned k = 0; k < about.shape().partitions; ++k) {
    out.vanilla.push_back(file_bytes(filecoin::update_partition_file(folder, k)));
  }
  return out;
}

std::vector<engine::ProofRequest> requests_of(const std::filesystem::path& path) {
  if (std::filesystem::exists(path / "post.json")) return post_requests(path);
  if (std::filesystem::exists(path / "update.json")) return {update_request(path)};
  if (std::filesystem::is_directory(path)) {
    throw InputError(path.string() + ": expected a C1 file, or a folder with post.json or update.json");
  }
  return {porep_request(path)};
}

}  // namespace proofline::cli
