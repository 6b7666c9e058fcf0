#pragma once
/// Which variables occur in a matrix, the densities that select the points of a prover's queries. They are not stored:
/// each template knows its own, and StructuredR1cs::used_elsewhere the rest.
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// One bit for each of the aux variables [begin, end): whether it occurs in the matrix. begin is a multiple of 64.
BitArray used_aux(const StructuredR1cs& r1cs, Matrix matrix, std::uint32_t begin, std::uint32_t end);

/// Number of aux variables that occur in the matrix.
std::uint64_t count_used_aux(const StructuredR1cs& r1cs, Matrix matrix);

/// The scalars of a query: the inputs and aux variables selected, each as what it is. Owns what it holds.
struct QueryScalars {
  BitArray bits, is_field;
  std::vector<math::Fr> fields;
  math::CompactScalars view() const { return {bits.size(), bits.words(), is_field.words(), fields}; }
};

/// The values of the variables that occur in the matrix, inputs first. With `all_inputs`, every input is taken: the
/// prover appends a row of A for each.
QueryScalars select_used(const StructuredR1cs& r1cs, Matrix matrix, const CompactWitness& witness, bool all_inputs);

}  // namespace proofline::r1cs
