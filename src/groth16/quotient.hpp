#pragma once
/// The quotient polynomial h = (a * b - c) / t of the QAP.
#include <vector>

#include "base/executor.hpp"
#include "math/fr.hpp"

namespace proofline::groth16 {

/// From the values of a, b and c on the evaluation domain (equal sizes, a power of two) to the
/// coefficients of h, one fewer than the domain has elements. Consumes its arguments: two vectors are
/// alive at the end. Cost: 7 transforms.
std::vector<math::Fr> quotient(std::vector<math::Fr> a, std::vector<math::Fr> b, std::vector<math::Fr> c,
                               const Executor& exec);

}  // namespace proofline::groth16
