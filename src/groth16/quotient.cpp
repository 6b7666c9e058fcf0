#include "groth16/quotient.hpp"

#include "math/ntt.hpp"

namespace proofline::groth16 {

using math::Domain;
using math::Fr;
using r1cs::Matrix;

unsigned domain_log_size(const r1cs::StructuredR1cs& circuit) {
  return Domain::log_size_for(circuit.num_constraints + circuit.num_inputs);
}

LargeArray<Fr> quotient(const DomainValues& values, unsigned log_size, const Executor& exec) {
  const Domain domain(log_size, exec);
  const auto for_all = [&](const auto& operation) {
    exec.parallel_for(domain.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) operation(i);
    });
  };
  LargeArray<Fr> h(domain.size()), other(domain.size());
  values(Matrix::kA, h.span());
  domain.to_coset(h.span(), exec);
  values(Matrix::kB, other.span());
  domain.to_coset(other.span(), exec);
  for_all([&](std::size_t i) { h[i] *= other[i]; });
  domain.coset_inverse(h.span(), exec);
  values(Matrix::kC, other.span());
  domain.inverse(other.span(), exec);
  const Fr inverse_t = domain.vanishing(Domain::coset_shift()).inverse();
  for_all([&](std::size_t i) { h[i] = (h[i] - other[i]) * inverse_t; });
  h.truncate(domain.size() - 1);
  return h;
}

}  // namespace proofline::groth16
