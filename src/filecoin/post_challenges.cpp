#include "filecoin/post_challenges.hpp"

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {
namespace {

std::array<std::uint8_t, 8> le64(std::uint64_t value) {
  std::array<std::uint8_t, 8> out;
  for (std::uint8_t& byte : out) {
    byte = static_cast<std::uint8_t>(value);
    value >>= 8;
  }
  return out;
}

std::uint64_t first_word(const Sha256Digest& digest) {
  std::uint64_t out = 0;
  for (std::size_t i = 8; i-- > 0;) out = out << 8 | digest[i];
  return out;
}

}  // namespace

std::vector<std::uint64_t> post_challenges(const PostShape& shape, ApiVersion version, const Bytes32& randomness,
                                           std::uint64_t sector_id, std::uint64_t sector_index) {
  node_to_fr(randomness, "randomness");
  const bool by_index = shape.kind == PostKind::kWindow && version != ApiVersion::kV1_2;
  const std::uint64_t first = by_index ? sector_index * shape.challenges_per_sector : 0;
  Sha256 prefix;
  prefix.update(randomness).update(le64(sector_id));
  std::vector<std::uint64_t> out;
  out.reserve(shape.challenges_per_sector);
  for (unsigned n = 0; n < shape.challenges_per_sector; ++n) {
    out.push_back(first_word(Sha256(prefix).update(le64(first + n)).finish()) % shape.sector->nodes());
  }
  return out;
}

std::uint64_t winning_post_sector(const Bytes32& prover_id, const Bytes32& randomness, std::uint64_t sectors) {
  if (sectors == 0) throw InputError("winning-post: a provider without sectors is never challenged");
  node_to_fr(prover_id, "prover id");
  node_to_fr(randomness, "randomness");
  return first_word(Sha256().update(prover_id).update(randomness).update(le64(0)).finish()) % sectors;
}

}  // namespace proofline::filecoin
