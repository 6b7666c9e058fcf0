#include "groth16/quotient.hpp"

#include "math/ntt.hpp"

namespace proofline::groth16 {

using math::Domain;
using math::Fr;
using r1cs::Matrix;

std::vector<Fr> quotient(const DomainValues& values, unsigned log_size, const Executor& exec) {
  const Domain domain(log_size, exec);
  const auto for_all = [&](const auto& operation) {
    exec.parallel_for(domain.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) operation(i);
    });
  };
  std::vector<Fr> h(domain.size()), other(domain.size());
  values(Matrix::kA, h);
  domain.to_coset(h, exec);
  values(Matrix::kB, other);
  domain.to_coset(other, exec);
  for_all([&](std::size_t i) { h[i] *= other[i]; });
  domain.coset_inverse(h, exec);
  values(Matrix::kC, other);
  domain.inverse(other, exec);
  const Fr inverse_t = domain.vanishing(Domain::coset_shift()).inverse();
  for_all([&](std::size_t i) { h[i] = (h[i] - other[i]) * inverse_t; });
  h.pop_back();
  return h;
}

}  // namespace proofline::groth16
