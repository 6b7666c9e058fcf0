#pragma once
/// Short names of circuits.
#include <string>

#include "filecoin/circuit_kind.hpp"
#include "filecoin/post_shape.hpp"
#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

CircuitKind circuit_kind(PostKind kind);

/// Kind and sector size: "porep-32g", "winning-2k", "wpost-64g", "snap-512m". Proofs with the same id have the same
/// circuit, parameters and key.
std::string circuit_id(CircuitKind kind, const SectorShape& sector);

}  // namespace proofline::filecoin
