#include "math/ntt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace proofline::math {
namespace {

std::vector<Fr> random_values(std::size_t n) {
  std::vector<Fr> out;
  Fr x = Fr::random();
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(x);
    x = x.square() + Fr::from_u64(i);
  }
  return out;
}

Fr evaluate(const std::vector<Fr>& coefficients, const Fr& at) {
  Fr sum;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * at + coefficients[i];
  return sum;
}

TEST(Domain, RootHasTheExactOrderAndTheReferencesValue) {
  const Executor exec(1);
  for (const unsigned k : {0U, 1U, 5U, 12U}) {
    const Fr omega = Domain(k, exec).omega();
    EXPECT_EQ(omega.pow(std::uint64_t{1} << k), Fr::one());
    if (k > 0) {
      EXPECT_EQ(omega.pow(std::uint64_t{1} << (k - 1)), Fr::minus_one());
    }
  }
  // The square of the generator of 2^13 is that of 2^12: all come from one 2^32-th root.
  EXPECT_EQ(Domain(13, exec).omega().square(), Domain(12, exec).omega());
}

TEST(Domain, SizesAreCheckedAndChosen) {
  EXPECT_THROW(Domain(33, Executor(1)), InputError);
  EXPECT_EQ(Domain::log_size_for(0), 0U);
  EXPECT_EQ(Domain::log_size_for(1), 0U);
  EXPECT_EQ(Domain::log_size_for(2), 1U);
  EXPECT_EQ(Domain::log_size_for(3), 2U);
  EXPECT_EQ(Domain::log_size_for(1 << 20), 20U);
  EXPECT_EQ(Domain::log_size_for((1 << 20) + 1), 21U);
}

TEST(Ntt, ForwardEvaluatesEverywhere) {
  const Executor exec(2);
  for (unsigned k = 0; k <= 8; ++k) {
    const Domain domain(k, exec);
    const std::vector<Fr> coefficients = random_values(domain.size());
    std::vector<Fr> values = coefficients, coset = coefficients;
    domain.forward(values, exec);
    domain.coset_forward(coset, exec);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Fr x = domain.omega().pow(i);
      EXPECT_EQ(values[i], evaluate(coefficients, x)) << k;
      EXPECT_EQ(coset[i], evaluate(coefficients, x * Domain::coset_shift())) << k;
    }
  }
}

TEST(Ntt, LargeTransformsEvaluateAtChosenPointsAndComeBack) {
  for (const unsigned k : {11U, 12U, 13U, 15U, 16U, 17U}) {
    const Executor exec(k % 3 + 1);
    const Domain domain(k, exec);
    const std::vector<Fr> coefficients = random_values(domain.size());
    std::vector<Fr> values = coefficients;
    domain.forward(values, exec);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, domain.size() / 3, domain.size() - 1})
      EXPECT_EQ(values[i], evaluate(coefficients, domain.omega().pow(i))) << k << ' ' << i;
    std::vector<Fr> to_coset = values, expected = coefficients;
    domain.coset_forward(expected, exec);
    domain.to_coset(to_coset, exec);
    EXPECT_EQ(to_coset, expected) << k;
    domain.inverse(values, exec);
    EXPECT_EQ(values, coefficients) << k;
    domain.coset_inverse(expected, exec);
    EXPECT_EQ(expected, coefficients) << k;
    for (const Fr& value : values) ASSERT_EQ(*Fr::from_bytes(value.to_bytes()), value);
  }
}

TEST(Ntt, ExtremeValuesStayCanonical) {
  const Executor exec(2);
  const Domain domain(13, exec);
  for (const Fr& fill : {Fr::zero(), Fr::one(), Fr::minus_one()}) {
    std::vector<Fr> values(domain.size(), fill);
    domain.forward(values, exec);
    EXPECT_EQ(values[0], fill * Fr::from_u64(domain.size()));
    for (std::size_t i = 1; i < values.size(); ++i) ASSERT_TRUE(values[i].is_zero()) << i;
  }
}

TEST(Domain, LagrangeBasisInterpolates) {
  const Executor exec(2);
  for (const unsigned k : {0U, 1U, 4U, 13U}) {
    const Domain domain(k, exec);
    const std::vector<Fr> coefficients = random_values(domain.size());
    std::vector<Fr> values = coefficients;
    domain.forward(values, exec);
    const Fr tau = Fr::random();
    std::vector<Fr> lagrange(domain.size());
    domain.lagrange_at(tau, lagrange, exec);
    Fr sum;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * lagrange[i];
    EXPECT_EQ(sum, evaluate(coefficients, tau)) << k;
    EXPECT_EQ(domain.vanishing(tau), tau.pow(domain.size()) - Fr::one());
  }
}

}  // namespace
}  // namespace proofline::math
