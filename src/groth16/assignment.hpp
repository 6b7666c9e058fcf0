#pragma once
/// What proving needs of one run of a circuit: the witness, the evaluations of A, B and C at every row,
/// and which variables occur in A and B.
#include <cstdint>
#include <vector>

#include "r1cs/builder.hpp"

namespace proofline::groth16 {

/// One flag a variable: whether it takes part in a query.
using Density = std::vector<bool>;
std::size_t count(const Density& density);

struct Assignment {
  r1cs::Witness witness;
  std::vector<math::Fr> a, b, c;  ///< one value a domain element; zero beyond the rows
  Density a_aux, b_inputs, b_aux;
  std::size_t num_constraints = 0;  ///< of the circuit, without the rows of inputs
};

/// Runs the circuit, appends the rows input_i * 0 = 0 and pads to the evaluation domain (the smallest
/// power of two). `domain_hint`, if right, saves reallocations. Throws UnsatisfiedError naming the first
/// broken row by its gadget path.
Assignment assign(const r1cs::Circuit& circuit, std::size_t domain_hint);

}  // namespace proofline::groth16
