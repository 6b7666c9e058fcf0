#pragma once
#include <cstdint>

namespace proofline::r1cs {

/// The figures that identify a circuit's size. Densities are the numbers of variables that occur in
/// at least one A (or B) row: they are the numbers of points in the prover's queries.
struct Shape {
  std::uint64_t num_inputs = 0;  ///< with ONE
  std::uint64_t num_aux = 0;
  std::uint64_t num_constraints = 0;
  std::uint64_t nonzeros_a = 0, nonzeros_b = 0, nonzeros_c = 0;
  std::uint64_t density_a_aux = 0, density_b_inputs = 0, density_b_aux = 0;
  bool operator==(const Shape&) const = default;
};

}  // namespace proofline::r1cs
