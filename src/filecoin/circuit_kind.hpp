#pragma once
/// The four circuits of a storage provider, by kind and sector size.
#include <cstdint>
#include <span>
#include <string_view>

#include "base/progress.hpp"
#include "filecoin/sector_shape.hpp"
#include "r1cs/structured.hpp"

namespace proofline::filecoin {

enum class CircuitKind { kPorep, kWinningPost, kWindowPost, kUpdate };

/// "porep", "winning-post", "window-post", "update", in the order of the kinds.
std::span<const std::string_view> circuit_kind_names();
std::string_view circuit_kind_name(CircuitKind kind);
/// Throws InputError for any other name.
CircuitKind circuit_kind(std::string_view name);

/// Public inputs with ONE. Throws InputError when there is no such circuit for the size, as do the functions below.
std::uint64_t circuit_inputs(CircuitKind kind, const SectorShape& sector);
/// Circuits, and so Groth16 proofs, that make a proof; 1 for WindowPoSt, where it depends on the number of sectors.
unsigned circuit_partitions(CircuitKind kind, const SectorShape& sector);
/// Records the circuit, on placeholder values. At 32 GiB: half a minute for porep and update, a moment for the others.
/// Reports "record circuit".
r1cs::StructuredR1cs record_circuit(CircuitKind kind, const SectorShape& sector, Progress& progress);

}  // namespace proofline::filecoin
