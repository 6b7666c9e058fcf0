#pragma once
/// The identifiers that a replica is bound to.
#include <cstdint>

#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// A miner's number as unsigned LEB128 at the front of 32 zero bytes.
Bytes32 prover_id(std::uint64_t miner);

/// SHA-256(prover_id || be64(sector_id) || ticket || comm_d || porep_id), truncated to 254 bits.
/// Source: Filecoin specification, replica id.
Node replica_id(const Bytes32& prover, std::uint64_t sector_id, const Bytes32& ticket, const Node& comm_d,
                const Bytes32& porep_id);

}  // namespace proofline::filecoin
