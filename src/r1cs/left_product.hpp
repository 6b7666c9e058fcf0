#pragma once
/// A structured circuit's matrices multiplied from the left: for a trusted setup, the sums of the Lagrange
/// coefficients of the rows in which each variable occurs.
#include <span>

#include "base/executor.hpp"
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Where sums go. Each is empty (not wanted) or has one place a variable.
struct VariableSums {
  std::span<math::Fr> a, b, c;
};

/// out[v - begin] = sum over the rows i of weights[i] * M[i][v], for the variables v in [begin, end): the inputs, then
/// the aux variables. `weights` has one element a row. Memory beside the output: a few instances. A circuit too large
/// for one output is taken in several ranges; each passes over the placements that touch it, the first (for ONE) reads
/// all.
void left_product(const StructuredR1cs& r1cs, std::span<const math::Fr> weights, std::size_t begin, std::size_t end,
                  const VariableSums& out, const Executor& exec);

}  // namespace proofline::r1cs
