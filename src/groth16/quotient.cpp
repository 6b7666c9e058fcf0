#include "groth16/quotient.hpp"

#include "math/ntt.hpp"

namespace proofline::groth16 {

using math::Domain;
using math::Fr;

std::vector<Fr> quotient(std::vector<Fr> a, std::vector<Fr> b, std::vector<Fr> c, const Executor& exec) {
  const Domain domain(Domain::log_size_for(a.size()), exec);
  const auto combine = [&](std::vector<Fr> other, const auto& operation) {
    domain.to_coset(other, exec);
    exec.parallel_for(a.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) a[i] = operation(a[i], other[i]);
    });
  };
  domain.to_coset(a, exec);
  combine(std::move(b), [](const Fr& x, const Fr& y) { return x * y; });
  // t is constant on the coset: shift^n - 1.
  const Fr inverse_t = domain.vanishing(Domain::coset_shift()).inverse();
  combine(std::move(c), [&](const Fr& x, const Fr& y) { return (x - y) * inverse_t; });
  domain.coset_inverse(a, exec);
  a.pop_back();
  return a;
}

}  // namespace proofline::groth16
