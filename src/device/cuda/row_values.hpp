#pragma once
/// A.w, B.w and C.w of a structured circuit on the device, from a compact witness. Plain C++.
///
/// Floors for a 32 GiB PoRep partition (130 M rows) on one H200: 12.9 GB written at 4.2 TB/s, 3.1 ms; about 8 GB of ops
/// read from L2, 1.5 ms; 17 MB of witness over PCIe, 0.3 ms. The circuit's 40 MB go up once. Design: an instance's
/// variables are gathered into one place each (bits and field elements, as r1cs::InstanceValues), derived ones are
/// solved by one thread an instance, then one thread a row makes the three values.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "r1cs/structured.hpp"

namespace proofline::cuda {

struct CircuitArrays;

/// A circuit's template form in device memory, borrowed from an arena.
struct DeviceCircuit {
  const CircuitArrays* arrays = nullptr;  ///< device memory
  std::uint64_t num_rows = 0, bit_words = 0, num_fields = 0;
  std::uint32_t num_inputs = 0, num_aux = 0, num_stored = 0;
  std::uint32_t placements = 0, bit_runs = 0, field_runs = 0, solved = 0;
};

/// Device bytes of a circuit. Makes the arrays to know their sizes: as slow as enqueue_circuit(), for start-up.
std::size_t circuit_device_bytes(const r1cs::StructuredR1cs& circuit);
/// Uploads the circuit. Throws InputError when the arena or 32-bit places do not suffice, DeviceError when CUDA
/// refuses.
DeviceCircuit enqueue_circuit(const r1cs::StructuredR1cs& circuit, Arena& arena, Stream stream);

/// Device bytes that enqueue_row_values() takes from its arena.
std::size_t row_values_device_bytes(const DeviceCircuit& circuit);
/// Uploads the witness (asynchronous when it is pinned; it must live until then) and writes the values of all rows,
/// zeros beyond them. a, b and c are device memory, each of one size, no smaller than the number of rows. Throws
/// InputError when sizes do not fit or the witness is of other sizes than the circuit, DeviceError when CUDA refuses.
void enqueue_row_values(const DeviceCircuit& circuit, const r1cs::CompactWitness& witness, std::span<math::Fr> a,
                        std::span<math::Fr> b, std::span<math::Fr> c, Arena arena, Stream stream);

}  // namespace proofline::cuda
