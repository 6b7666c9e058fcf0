#pragma once
/// Challenges of synthetic PoRep: comm_r fixes a set of nodes that a prover may open before it knows the seed; the seed
/// then selects among them. Sources: FIP-0059; rust-fil-proofs storage-proofs-porep stacked/vanilla/challenges.rs.
#include <cstdint>
#include <vector>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// What fixes a synthetic set.
struct SyntheticSet {
  std::uint64_t nodes = 0;  ///< of the sector, 2 to 2^32
  std::uint64_t size = 0;   ///< nodes in the set, with repetitions
  Bytes32 replica_id{};
  Bytes32 comm_r{};
};

/// 2^18, or all nodes of a smaller sector.
std::uint64_t synthetic_set_size(std::uint64_t nodes);

/// The whole set in order: node i is challenged_node of bytes 32 i .. 32 i + 31 of a ChaCha20 key stream whose key is
/// the keyed BLAKE2b-256 of replica_id || comm_r.
std::vector<std::uint64_t> synthetic_set(const SyntheticSet& set);

/// The challenged nodes of one partition, in proof order: challenge j (counted over all partitions) is the set's node
/// with index (little-endian bytes 4 j .. 4 j + 3 of a ChaCha20 key stream) mod size, whose key is the keyed
/// BLAKE2b-256 of replica_id || seed. The partition is not checked.
std::vector<std::uint64_t> synthetic_challenges(const SyntheticSet& set, unsigned challenges_per_partition,
                                                const Bytes32& seed, unsigned partition);

}  // namespace proofline::filecoin
