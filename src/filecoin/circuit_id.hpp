#pragma once
/// Short names of circuits.
#include <string>
#include <string_view>
#include <vector>

#include "filecoin/circuit_kind.hpp"
#include "filecoin/post_shape.hpp"
#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

CircuitKind circuit_kind(PostKind kind);

/// Kind and sector size: "porep-32g", "winning-2k", "wpost-64g", "snap-512m". Proofs with the same id have the same
/// circuit, parameters and key.
std::string circuit_id(CircuitKind kind, const SectorShape& sector);

/// What an id stands for.
struct CircuitName {
  CircuitKind kind{};
  const SectorShape* sector = nullptr;  ///< of the table of sector shapes
};

/// The inverse of circuit_id. Throws InputError naming the nearest known id.
CircuitName parse_circuit_id(std::string_view id);

/// All ids, by kind, then size. There is none for updates of 1 GiB, which have no circuit.
std::vector<std::string> circuit_ids();

}  // namespace proofline::filecoin
