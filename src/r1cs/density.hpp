#pragma once
/// Which variables occur in a matrix, the densities that select the points of a prover's queries. They are not stored:
/// each template knows its own, and StructuredR1cs::used_elsewhere the rest.
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// One bit for each of the aux variables [begin, end): whether it occurs in the matrix.
BitArray used_aux(const StructuredR1cs& r1cs, Matrix matrix, std::uint32_t begin, std::uint32_t end);

/// Number of aux variables that occur in the matrix.
std::uint64_t count_used_aux(const StructuredR1cs& r1cs, Matrix matrix);

}  // namespace proofline::r1cs
