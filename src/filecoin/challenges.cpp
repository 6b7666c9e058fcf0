#include "filecoin/challenges.hpp"

#include <string>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/synthetic_challenges.hpp"

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

void check_partition(const SectorShape& shape, unsigned partition, unsigned partitions) {
  if (partition >= partitions) {
    throw InputError("challenges: partition " + std::to_string(partition) + " of a " + std::string(shape.name) +
                     " sector does not exist; it has " + std::to_string(partitions));
  }
}

/// Of one partition: each challenge is the hash of what `prefix` has taken and the challenge's number.
std::vector<std::uint64_t> hashed_challenges(const Sha256& prefix, std::uint64_t nodes, unsigned count,
                                             unsigned partition) {
  std::vector<std::uint64_t> out;
  out.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t j = count * partition + i;
    const std::array<std::uint8_t, 4> counter{static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(j >> 8),
                                              static_cast<std::uint8_t>(j >> 16), static_cast<std::uint8_t>(j >> 24)};
    out.push_back(challenged_node(Sha256(prefix).update(counter).finish(), nodes));
  }
  return out;
}

}  // namespace

std::uint64_t challenged_node(const Bytes32& random, std::uint64_t nodes) {
  if (nodes < 2 || nodes > (std::uint64_t{1} << 32)) {
    throw InputError("challenges: " + std::to_string(nodes) + " nodes; expected 2 to 2^32");
  }
  return reduce(random, nodes - 1) + 1;
}

std::vector<std::uint64_t> porep_challenges(const SealProofInfo& info, const Bytes32& replica_id, const Bytes32& comm_r,
                                            const Bytes32& seed, unsigned partition) {
  const SectorShape& shape = info.shape();
  check_partition(shape, partition, info.partitions());
  const unsigned count = shape.challenges_per_partition;
  switch (info.feature) {
    case SealFeature::kNonInteractivePoRep:
      return non_interactive_challenges(shape.nodes(), count, replica_id, comm_r, partition);
    case SealFeature::kSyntheticPoRep:
      return synthetic_challenges({shape.nodes(), synthetic_set_size(shape.nodes()), replica_id, comm_r}, count, seed,
                                  partition);
    default:
      return interactive_challenges(shape.nodes(), count, replica_id, seed, partition);
  }
}

std::vector<std::uint64_t> interactive_challenges(const SectorShape& shape, const Bytes32& replica_id,
                                                  const Bytes32& seed, unsigned partition) {
  check_partition(shape, partition, shape.partitions);
  return interactive_challenges(shape.nodes(), shape.challenges_per_partition, replica_id, seed, partition);
}

std::vector<std::uint64_t> interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                  const Bytes32& replica_id, const Bytes32& seed, unsigned partition) {
  Sha256 prefix;
  prefix.update(replica_id).update(seed);
  return hashed_challenges(prefix, nodes, challenges_per_partition, partition);
}

std::vector<std::uint64_t> non_interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                      const Bytes32& replica_id, const Bytes32& comm_r,
                                                      unsigned partition) {
  constexpr std::string_view kTag = "filecoin.io|PoRep|1|NonInteractive|1";
  Sha256 prefix;
  prefix.update({reinterpret_cast<const std::uint8_t*>(kTag.data()), kTag.size()}).update(replica_id).update(comm_r);
  return hashed_challenges(prefix, nodes, challenges_per_partition, partition);
}

}  // namespace proofline::filecoin
