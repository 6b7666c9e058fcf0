#pragma once
/// The four kinds of circuit, and short names of circuits.
#include <string>

#include "filecoin/post_shape.hpp"
#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

enum class CircuitKind { kPorep, kWinningPost, kWindowPost, kUpdate };

CircuitKind circuit_kind(PostKind kind);

/// Kind and sector size: "porep-32g", "winning-2k", "wpost-64g", "snap-512m". Proofs with the same id have the same
/// circuit, parameters and key.
std::string circuit_id(CircuitKind kind, const SectorShape& sector);

}  // namespace proofline::filecoin
