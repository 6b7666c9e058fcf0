#pragma once
/// The values of all variables of a circuit on the device, from a compact witness: first step of a proof, which the
/// evaluation of rows (row_values.hpp) and the scalars of sums (query_scalars.hpp) take. Plain C++.
///
/// The witness goes up (17.7 MB for a 32 GiB PoRep partition), each instance's variables are gathered into one place,
/// and the derived ones are solved: a warp a chain of definitions (r1cs::definition_chains), its lanes sharing the
/// terms of long parts. All chains, 4231 of up to 597 definitions, fit on an H200 at once, so that the time is that of
/// one chain.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/device_circuit.hpp"

namespace proofline::cuda {

/// Device memory, borrowed from an arena.
struct DeviceValues {
  std::span<const math::Fr> inputs;
  /// The witness's bits, a place an aux variable; zero where it is a field element and beyond the last.
  std::span<const std::uint32_t> witness_bits;
  /// Bits and field elements, derived ones too, of one instance after another, as r1cs::Operand numbers them.
  std::span<const std::uint32_t> instance_bits;
  std::span<const math::Fr> instance_fields;
};

/// Device bytes that enqueue_instance_values() takes from its arena.
std::size_t instance_values_device_bytes(const DeviceCircuit& circuit);

/// Uploads the witness and makes the values of all instances. From pinned memory the upload is asynchronous, and the
/// witness must live until the stream has come this far; from other memory it is read before this returns.
/// Throws InputError when the witness is of other sizes than the circuit or the arena is too small, DeviceError when
/// CUDA refuses.
DeviceValues enqueue_instance_values(const DeviceCircuit& circuit, const r1cs::CompactWitness& witness, Arena& arena,
                                     Stream stream);

}  // namespace proofline::cuda
