#pragma once
/// A structured circuit in device memory: its template form, as the host has it. Plain C++.
#include <cstddef>
#include <cstdint>

#include "device/cuda/stream.hpp"
#include "r1cs/structured.hpp"

namespace proofline::cuda {

struct CircuitArrays;

/// Borrowed from an arena.
struct DeviceCircuit {
  const CircuitArrays* arrays = nullptr;  ///< device memory
  std::uint64_t num_rows = 0;
  std::uint64_t bit_words = 0, num_fields = 0;  ///< of all instances together
  std::uint32_t num_inputs = 0, num_aux = 0, num_stored = 0;
  std::uint32_t placements = 0, bit_runs = 0, field_runs = 0, chains = 0;
};

/// Device bytes of a circuit (22.5 MB for a 32 GiB PoRep partition). Makes the arrays to know their sizes: as slow as
/// enqueue_circuit(), for start-up.
std::size_t circuit_device_bytes(const r1cs::StructuredR1cs& circuit);

/// Uploads the circuit, which the caller may then drop. Throws InputError when the arena or 31-bit places do not
/// suffice, DeviceError when CUDA refuses.
DeviceCircuit enqueue_circuit(const r1cs::StructuredR1cs& circuit, Arena& arena, Stream stream);

}  // namespace proofline::cuda
