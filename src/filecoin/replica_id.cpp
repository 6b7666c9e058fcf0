#include "filecoin/replica_id.hpp"

#include "base/sha256.hpp"

namespace proofline::filecoin {

Bytes32 prover_id(std::uint64_t miner) {
  Bytes32 out{};
  std::size_t i = 0;
  for (; miner >= 0x80; miner >>= 7) out[i++] = static_cast<std::uint8_t>(miner | 0x80);
  out[i] = static_cast<std::uint8_t>(miner);
  return out;
}

Node replica_id(const Bytes32& prover, std::uint64_t sector_id, const Bytes32& ticket, const Node& comm_d,
                const Bytes32& porep_id) {
  std::array<std::uint8_t, 8> sector;
  for (std::size_t i = 0; i < sector.size(); ++i) sector[i] = static_cast<std::uint8_t>(sector_id >> (56 - 8 * i));
  return truncate_to_field(
      Sha256().update(prover).update(sector).update(ticket).update(comm_d).update(porep_id).finish());
}

}  // namespace proofline::filecoin
