#include "r1cs/linear_combination.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/circuits.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

TEST(LinearCombination, AddScaledEvaluatesToTheSum) {
  std::mt19937_64 rng(1);
  FlatWitness witness;
  witness.inputs = {Fr::one(), Fr::from_u64(rng())};
  for (int i = 0; i < 20; ++i) witness.aux.push_back(Fr::from_u64(rng()));
  LinearCombination sum;
  Fr expected;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t pick = rng() % 22;
    const Variable variable = pick < 2 ? Variable::input(static_cast<std::uint32_t>(pick))
                                       : Variable::aux(static_cast<std::uint32_t>(pick - 2));
    const Fr coefficient = Fr::from_u64(rng());
    const Fr scale = Fr::from_u64(rng());
    sum.add_scaled(LinearCombination(variable, coefficient), scale);
    expected += witness.at(variable) * coefficient * scale;
    ASSERT_EQ(test::evaluate(sum.terms(), witness), expected);
  }
  for (std::size_t i = 1; i < sum.terms().size(); ++i) EXPECT_LT(sum.terms()[i - 1].variable, sum.terms()[i].variable);
  EXPECT_LE(sum.terms().size(), 22U);
}

}  // namespace
}  // namespace proofline::r1cs
