#pragma once
/// The circuits on which each step from a witness to sums is compared with the CPU's.
#include <gtest/gtest.h>

#include "device/cuda/odd_circuit.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/sector_shape.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::test {

/// use(circuit, right witness, any witness) for odd_circuit in instances of different sizes.
template <class Use>
void for_odd_circuits(const Use& use) {
  for (const std::uint32_t max_rows : {8U, 30U, r1cs::CircuitRecorder::kMaxRows}) {
    SCOPED_TRACE(max_rows);
    const r1cs::StructuredR1cs circuit = r1cs::record(odd_circuit, max_rows);
    use(circuit, r1cs::generate_witness(odd_circuit, Executor(1)), random_witness(circuit, 1));
  }
}

/// use(code, circuit, any witness) for 40 random circuits, until one fails.
template <class Use>
void for_random_circuits(const Use& use) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCircuit code{.seed = seed, .with_derived = seed % 2 == 0};
    const r1cs::StructuredR1cs circuit = r1cs::record(code, seed % 3 == 0 ? r1cs::CircuitRecorder::kMaxRows : 20);
    use(code, circuit, random_witness(circuit, seed));
    if (testing::Test::HasFailure()) return;
  }
}

inline r1cs::StructuredR1cs porep_of_2kib() {
  return r1cs::record(filecoin::porep_shape_circuit(filecoin::sector_shape("2KiB")));
}

}  // namespace proofline::test
