#pragma once
/// The quotient polynomial h = (a * b - c) / t of the QAP.
#include <functional>
#include <span>

#include "base/executor.hpp"
#include "base/large_array.hpp"
#include "math/fr.hpp"
#include "r1cs/structured.hpp"

namespace proofline::groth16 {

/// The circuit's evaluation domain has 2^this elements: one a row, and one for each row input_i * 0 = 0 that prover and
/// setup append.
unsigned domain_log_size(const r1cs::StructuredR1cs& circuit);

/// Writes the values of A.w, B.w or C.w on the evaluation domain, zeros beyond the rows.
using DomainValues = std::function<void(r1cs::Matrix, std::span<math::Fr>)>;

/// The coefficients of h, one fewer than the evaluation domain of 2^log_size has elements. `values` is called once for
/// each matrix, when its values are needed: two arrays of the domain's size are alive at a time.
/// Cost: 6 transforms. On the coset g * <omega>, where t is g^n - 1, a * b agrees with a polynomial d of degree below
/// n; as a * b = c + h * t, d = c + (g^n - 1) * h in coefficients: c never goes to the coset.
LargeArray<math::Fr> quotient(const DomainValues& values, unsigned log_size, const Executor& exec);

}  // namespace proofline::groth16
