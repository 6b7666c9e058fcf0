#pragma once
/// What a client asks for: the inputs of one proof as they came, before anything of them has been looked at.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filecoin/circuit_kind.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::engine {

using Bytes = std::vector<std::uint8_t>;

/// The fields that a kind does not use stay empty.
struct ProofRequest {
  filecoin::CircuitKind kind{};
  std::uint64_t sector_size = 0;                    ///< bytes; 0: what registered_proof or the C1 says
  std::optional<std::uint64_t> registered_proof{};  ///< Go's abi number, of the kind's table
  Bytes c1{};                                       ///< porep: JSON, bare or in its envelope
  std::vector<Bytes> vanilla{};                     ///< PoSt: bincode, one a sector; update: bincode, one a partition
  filecoin::Bytes32 randomness{};                   ///< PoSt
  std::uint64_t partition_index = 0;                ///< WindowPoSt: which partition the sectors are
  filecoin::Bytes32 comm_r_old{}, comm_r_new{}, comm_d_new{};  ///< update
  std::uint64_t miner_id = 0, sector_number = 0;  ///< for messages and the record; nothing is derived from them

  /// Bytes of the payload: of the C1 and the vanilla proofs.
  std::uint64_t bytes() const;
  bool operator==(const ProofRequest&) const = default;
};

/// A form that can be stored: a version, then every field in bincode.
Bytes to_bytes(const ProofRequest& request);
/// Throws InputError naming the field at fault for anything that to_bytes() does not give.
ProofRequest proof_request_from_bytes(std::span<const std::uint8_t> bytes);

/// SHA-256 of to_bytes(): whether a repeated request is the same.
filecoin::Bytes32 request_digest(const ProofRequest& request);

}  // namespace proofline::engine
