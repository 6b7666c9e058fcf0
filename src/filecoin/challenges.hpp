#pragma once
/// Which nodes a PoRep proof must open. In every kind of PoRep node 0 is never challenged, and repetitions are
/// possible.
#include <cstdint>
#include <vector>

#include "filecoin/registered_proof.hpp"
#include "filecoin/sector_shape.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// The challenged nodes of one partition, in proof order, by the registered proof's rule: interactive, synthetic
/// (synthetic_challenges.hpp) or non-interactive. Interactive PoRep does not use comm_r, non-interactive not the seed.
/// Throws InputError when the partition does not exist.
std::vector<std::uint64_t> porep_challenges(const SealProofInfo& info, const Bytes32& replica_id, const Bytes32& comm_r,
                                            const Bytes32& seed, unsigned partition);

/// The challenged nodes of one partition of an interactive PoRep, in proof order. Challenge j (counted
/// over all partitions) is (SHA-256(replica_id || seed || le32(j)) as a little-endian integer) mod
/// (nodes - 1) + 1.
/// Throws InputError when the partition does not exist. Source: Filecoin specification, PoRep challenges.
std::vector<std::uint64_t> interactive_challenges(const SectorShape& shape, const Bytes32& replica_id,
                                                  const Bytes32& seed, unsigned partition);

/// As above for any number of nodes (2 to 2^32) and challenges; the partition is not checked.
std::vector<std::uint64_t> interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                  const Bytes32& replica_id, const Bytes32& seed, unsigned partition);

/// Non-interactive PoRep: as interactive, but challenge j comes from SHA-256("filecoin.io|PoRep|1|NonInteractive|1" ||
/// replica_id || comm_r || le32(j)). Source: FIP-0092.
std::vector<std::uint64_t> non_interactive_challenges(std::uint64_t nodes, unsigned challenges_per_partition,
                                                      const Bytes32& replica_id, const Bytes32& comm_r,
                                                      unsigned partition);

/// The node that 32 random bytes challenge: as a little-endian integer mod (nodes - 1), plus 1.
/// Throws InputError unless there are 2 to 2^32 nodes.
std::uint64_t challenged_node(const Bytes32& random, std::uint64_t nodes);

}  // namespace proofline::filecoin
