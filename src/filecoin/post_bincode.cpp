#include "filecoin/post_bincode.hpp"

#include <string>

#include "base/file.hpp"
#include "filecoin/merkle_bincode.hpp"

namespace proofline::filecoin {
namespace {

/// No inclusion proof is shorter: variant, root, leaf and the length of a path.
constexpr std::size_t kLeastInclusionBytes = 4 + 2 * math::Fr::kBytes + 8;
constexpr std::size_t kLeastSectorBytes = 8 + 2 * math::Fr::kBytes;

PostSector read_sector(BincodeReader& in) {
  const std::uint64_t id = in.u64("sector_id");
  return {id, read_element(in, "comm_r")};
}

}  // namespace

PostSectorProof parse_post_proof(std::span<const std::uint8_t> bytes, const PostShape& shape, std::string_view name) {
  BincodeReader in(bytes, name);
  PostSectorProof out;
  out.sector = read_sector(in);
  const std::size_t sectors = in.length(kLeastSectorBytes, "vanilla_proof.sectors");
  if (sectors != 1) in.fail("vanilla_proof.sectors: 1 sector expected, got " + std::to_string(sectors));
  const std::size_t challenges = in.length(kLeastInclusionBytes, "inclusion_proofs");
  if (challenges != shape.challenges_per_sector) {
    in.fail("inclusion_proofs: " + std::to_string(shape.challenges_per_sector) + " challenges expected in a " +
            std::string(post_name(shape.kind)) + ", got " + std::to_string(challenges));
  }
  out.inclusion_proofs.reserve(challenges);
  for (std::size_t n = 0; n < challenges; ++n) {
    out.inclusion_proofs.push_back(read_merkle_proof(in, shape.sector->tree, shape.sector->nodes(),
                                                     "inclusion_proofs[" + std::to_string(n) + "]"));
  }
  out.comm_c = read_element(in, "comm_c");
  out.comm_r_last = read_element(in, "comm_r_last");
  in.finish();
  return out;
}

PostSector parse_post_sector(std::span<const std::uint8_t> bytes, std::string_view name) {
  BincodeReader in(bytes, name);
  return read_sector(in);
}

std::vector<std::uint8_t> write_post_proof(const PostSectorProof& proof, const PostShape& shape) {
  std::vector<std::uint8_t> out;
  append_u64(out, proof.sector.id);
  append_element(out, proof.sector.comm_r);
  append_u64(out, 1);
  append_u64(out, proof.inclusion_proofs.size());
  for (const MerkleProof& inclusion : proof.inclusion_proofs) append_merkle_proof(out, inclusion, shape.sector->tree);
  append_element(out, proof.comm_c);
  append_element(out, proof.comm_r_last);
  return out;
}

PostSectorProof read_post_proof(const std::filesystem::path& file, const PostShape& shape) {
  return parse_post_proof(MappedFile(file).bytes(), shape, file.string());
}

PostSector read_post_sector(const std::filesystem::path& file) {
  return parse_post_sector(MappedFile(file).bytes(), file.string());
}

}  // namespace proofline::filecoin
