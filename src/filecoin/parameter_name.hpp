#pragma once
/// Names of rust-fil-proofs' parameter files. What fixes a circuit is written as a text, the identifier; file names
/// hold its hash, so that parameters are found by what they are for.
#include <string>

#include "filecoin/circuit_kind.hpp"
#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

/// The identifier, for example "FallbackPoSt::PublicParams{sector_size: 2048, challenge_count: 1, sector_count: 66}".
/// Throws InputError for an update of a size that has no circuit (1 GiB).
/// Source: `identifier` of the PublicParams in rust-fil-proofs' storage-proofs-{porep,post,update}.
std::string parameter_identifier(CircuitKind kind, const SectorShape& sector);

/// File name without extension: "v28-", the proof's name with the shape of its trees, "-" and the SHA-256 of the
/// identifier in hex. ".params" and ".vk" follow. Throws as parameter_identifier.
/// Source: rust-fil-proofs storage-proofs-core/src/parameter_cache.rs, version 28.
std::string parameter_stem(CircuitKind kind, const SectorShape& sector);

}  // namespace proofline::filecoin
