#pragma once
/// A.w, B.w and C.w of a structured circuit and a compact witness, in blocks of rows: they are made where they are
/// consumed, and never exist for a circuit that waits.
#include <optional>
#include <span>

#include "base/executor.hpp"
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Where the values go. Each is empty (not wanted) or has one place a row.
struct RowValues {
  std::span<math::Fr> a, b, c;
};

/// Throws InputError unless the witness has the circuit's kinds and numbers of inputs and variables.
void require_same_circuit(const StructuredR1cs& r1cs, const CompactWitness& witness);

/// Values of rows [begin, end), of a witness of this circuit (InputError otherwise).
void evaluate_rows(const StructuredR1cs& r1cs, const CompactWitness& witness, std::uint64_t begin, std::uint64_t end,
                   const RowValues& out, const Executor& exec);

/// The first row with (A.w)(B.w) != C.w, looked for in blocks.
std::optional<std::uint64_t> first_broken_row(const StructuredR1cs& r1cs, const CompactWitness& witness,
                                              const Executor& exec);

/// Throws UnsatisfiedError naming the first broken row by its number and gadget path.
void require_satisfied(const StructuredR1cs& r1cs, const CompactWitness& witness, const Executor& exec);

}  // namespace proofline::r1cs
