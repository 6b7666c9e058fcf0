#include "filecoin/update_bincode.hpp"

#include <string>

#include "base/bincode.hpp"
#include "base/file.hpp"
#include "filecoin/merkle_bincode.hpp"

namespace proofline::filecoin {
namespace {

constexpr TreeShape kBinary{2, 0, 0};
// Three Merkle proofs of a variant, root, leaf and a path's length.
constexpr std::size_t kLeastChallenge = 3 * (4 + 2 * kNodeBytes + 8);

std::size_t read_length(BincodeReader& in, std::size_t element_bytes, std::size_t expected, const std::string& what) {
  const std::size_t count = in.length(element_bytes, what);
  if (count != expected) in.fail(what + ": " + std::to_string(expected) + " expected, got " + std::to_string(count));
  return count;
}

}  // namespace

UpdatePartitionProof parse_update_partition(std::span<const std::uint8_t> bytes, const UpdateShape& shape,
                                            std::string_view name) {
  BincodeReader in(bytes, name);
  UpdatePartitionProof out;
  out.comm_c = read_element(in, "comm_c");
  const std::size_t leaves = read_length(in, kNodeBytes, shape.apex_leaves, "apex leaves");
  for (std::size_t i = 0; i < leaves; ++i) out.apex_leaves.push_back(read_element(in, "an apex leaf"));
  const std::size_t count = read_length(in, kLeastChallenge, shape.challenges_per_partition, "challenges");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string where = "challenge " + std::to_string(i) + ": ";
    UpdateChallengeProof& challenge = out.challenges.emplace_back();
    challenge.r_old = read_merkle_proof(in, shape.tree, shape.nodes(), where + "proof_r_old");
    challenge.d_new = read_merkle_proof(in, kBinary, shape.nodes(), where + "proof_d_new");
    challenge.r_new = read_merkle_proof(in, shape.tree, shape.nodes(), where + "proof_r_new");
  }
  in.finish();
  return out;
}

std::vector<std::uint8_t> write_update_partition(const UpdatePartitionProof& proof, const UpdateShape& shape) {
  std::vector<std::uint8_t> out;
  append_element(out, proof.comm_c);
  append_u64(out, proof.apex_leaves.size());
  for (const math::Fr& leaf : proof.apex_leaves) append_element(out, leaf);
  append_u64(out, proof.challenges.size());
  for (const UpdateChallengeProof& challenge : proof.challenges) {
    append_merkle_proof(out, challenge.r_old, shape.tree);
    append_merkle_proof(out, challenge.d_new, kBinary);
    append_merkle_proof(out, challenge.r_new, shape.tree);
  }
  return out;
}

std::filesystem::path update_partition_file(const std::filesystem::path& folder, unsigned partition) {
  return folder / ("vanilla-" + std::to_string(partition) + ".bin");
}

UpdatePartitionProof read_update_partition(const std::filesystem::path& file, const UpdateShape& shape) {
  const MappedFile mapped(file);
  return parse_update_partition(mapped.bytes(), shape, file.string());
}

}  // namespace proofline::filecoin
