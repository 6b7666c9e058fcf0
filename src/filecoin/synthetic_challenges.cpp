#include "filecoin/synthetic_challenges.hpp"

#include <algorithm>
#include <string_view>

#include "base/blake2b.hpp"
#include "base/chacha20.hpp"
#include "filecoin/challenges.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kRandomBytes = 32;  // of a node of the set
constexpr std::size_t kIndexBytes = 4;    // of a selected index
constexpr std::array<std::uint8_t, 12> kNonce{'s', 'y', 'n', 't', 'h', '-', 'p', 'o', 'r', 'e', 'p', 0};

Bytes32 stream_key(std::string_view tag, const Bytes32& replica_id, const Bytes32& other) {
  std::array<std::uint8_t, 64> message;
  std::ranges::copy(other, std::ranges::copy(replica_id, message.begin()).out);
  return blake2b256_keyed({reinterpret_cast<const std::uint8_t*>(tag.data()), tag.size()}, message);
}

Bytes32 set_key(const SyntheticSet& set) {
  return stream_key("filecoin.io|PoRep|1|Synthetic|1|Generation", set.replica_id, set.comm_r);
}

std::uint64_t set_node(const SyntheticSet& set, const Bytes32& key, std::uint64_t index) {
  Bytes32 random;
  chacha20_key_stream(key, kNonce, index * kRandomBytes, random);
  return challenged_node(random, set.nodes);
}

}  // namespace

std::uint64_t synthetic_set_size(std::uint64_t nodes) {
  return std::min(nodes, std::uint64_t{1} << 18);
}

std::vector<std::uint64_t> synthetic_set(const SyntheticSet& set) {
  const Bytes32 key = set_key(set);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < set.size; ++i) out.push_back(set_node(set, key, i));
  return out;
}

std::vector<std::uint64_t> synthetic_challenges(const SyntheticSet& set, unsigned challenges_per_partition,
                                                const Bytes32& seed, unsigned partition) {
  const std::uint64_t first = std::uint64_t{challenges_per_partition} * partition;
  std::vector<std::uint8_t> indices(challenges_per_partition * kIndexBytes);
  chacha20_key_stream(stream_key("filecoin.io|PoRep|1|Synthetic|1|Selection", set.replica_id, seed), kNonce,
                      first * kIndexBytes, indices);
  const Bytes32 key = set_key(set);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < indices.size(); i += kIndexBytes) {
    std::uint32_t index = 0;
    for (std::size_t byte = kIndexBytes; byte-- > 0;) index = index << 8 | indices[i + byte];
    out.push_back(set_node(set, key, index % set.size));
  }
  return out;
}

}  // namespace proofline::filecoin
