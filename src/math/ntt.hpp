#pragma once
/// Number-theoretic transforms over the 2^k-th roots of unity of Fr.
/// The generator and roots are those of bellperson/blstrs: multiplicative generator 7, and
/// root_of_unity = 7^((r-1)/2^32), so that omega of a domain of size 2^k is root_of_unity^(2^(32-k)).
#include <span>

#include "base/executor.hpp"
#include "base/large_array.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// A multiplicative subgroup of size 2^log_size and its coset by the generator 7.
/// Holds the twiddle factors (half a domain of Fr); share one between transforms of the same size.
class Domain {
 public:
  /// Throws InputError when log_size > 32.
  Domain(unsigned log_size, const Executor& exec);
  /// The smallest domain with at least n elements.
  static unsigned log_size_for(std::size_t n);

  std::size_t size() const { return std::size_t{1} << log_size_; }
  unsigned log_size() const { return log_size_; }
  const Fr& omega() const { return omega_; }
  static Fr coset_shift() { return Fr::from_u64(7); }

  /// In place, natural order in and out. values.size() == size().
  void forward(std::span<Fr> values, const Executor& exec) const;
  void inverse(std::span<Fr> values, const Executor& exec) const;
  /// Evaluation on, and interpolation from, the coset 7 * <omega>.
  void coset_forward(std::span<Fr> values, const Executor& exec) const;
  void coset_inverse(std::span<Fr> values, const Executor& exec) const;
  /// From the values of a polynomial on the domain to those on the coset: inverse() and coset_forward()
  /// with their scalings done in one.
  void to_coset(std::span<Fr> values, const Executor& exec) const;

  /// tau^size - 1.
  Fr vanishing(const Fr& tau) const;
  /// All Lagrange basis polynomials at tau (tau outside the domain): out[i] = L_i(tau).
  void lagrange_at(const Fr& tau, std::span<Fr> out, const Executor& exec) const;

 private:
  unsigned log_size_;
  Fr omega_;
  LargeArray<Fr> twiddles_;
};

}  // namespace proofline::math
