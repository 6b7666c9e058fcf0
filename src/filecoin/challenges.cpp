#include "filecoin/challenges.hpp"

#include <string>

#include "base/error.hpp"
#include "base/sha256.hpp"

namespace proofline::filecoin {
namespace {

// A 256-bit little-endian integer mod a modulus of at most 32 bits, from the top word down.
std::uint64_t reduce(const Bytes32& integer, std::uint64_t modulus) {
  std::uint64_t remainder = 0;
  for (std::size_t word = 8; word-- > 0;) {
    std::uint64_t value = 0;
    for (std::size_t byte = 4; byte-- > 0;) value = value << 8 | integer[word * 4 + byte];
    remainder = (remainder << 32 | value) % modulus;
  }
  return remainder;
}

}  // namespace

std::vector<std::uint64_t> interactive_challenges(const SectorShape& shape, const Bytes32& replica_id,
                                                  const Bytes32& seed, unsigned partition) {
  if (partition >= shape.partitions) {
    throw InputError("challenges: partition " + std::to_string(partition) + " of a " + std::string(shape.name) +
                     " sector does not exist; it has " + std::to_string(shape.partitions));
  }
  return interactive_challenges(shape.nodes(), shape.challenges_per_partition, replica_id, seed, partition);
}

std::vector<std::uint64_t> interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                  const Bytes32& replica_id, const Bytes32& seed, unsigned partition) {
  if (nodes < 2 || nodes > (std::uint64_t{1} << 32)) {
    throw InputError("challenges: " + std::to_string(nodes) + " nodes; expected 2 to 2^32");
  }
  Sha256 prefix;
  prefix.update(replica_id).update(seed);
  std::vector<std::uint64_t> out;
  out.reserve(challenges_per_partition);
  for (unsigned i = 0; i < challenges_per_partition; ++i) {
    const std::uint32_t j = challenges_per_partition * partition + i;
    const std::array<std::uint8_t, 4> counter{static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(j >> 8),
                                              static_cast<std::uint8_t>(j >> 16), static_cast<std::uint8_t>(j >> 24)};
    out.push_back(reduce(Sha256(prefix).update(counter).finish(), nodes - 1) + 1);
  }
  return out;
}

}  // namespace proofline::filecoin
