#pragma once
/// Which nodes a PoRep proof must open.
#include <cstdint>
#include <vector>

#include "filecoin/sector_shape.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// The challenged nodes of one partition of an interactive PoRep, in proof order. Challenge j (counted
/// over all partitions) is (SHA-256(replica_id || seed || le32(j)) as a little-endian integer) mod
/// (nodes - 1) + 1: node 0 is never challenged, repetitions are possible.
/// Throws InputError when the partition does not exist. Source: Filecoin specification, PoRep challenges.
std::vector<std::uint64_t> interactive_challenges(const SectorShape& shape, const Bytes32& replica_id,
                                                  const Bytes32& seed, unsigned partition);

/// As above for any number of nodes (2 to 2^32) and challenges; the partition is not checked.
std::vector<std::uint64_t> interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                  const Bytes32& replica_id, const Bytes32& seed, unsigned partition);

}  // namespace proofline::filecoin
