#include "math/fixed_base.hpp"

#include <gtest/gtest.h>

namespace proofline::math {
namespace {

template <class P>
class FixedBaseOf : public testing::Test {};
using Groups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(FixedBaseOf, Groups);

TYPED_TEST(FixedBaseOf, MultiplesEqualScalarMultiplication) {
  using P = TypeParam;
  const Executor exec(2);
  const P base = P::generator() * Fr::from_u64(31337);
  const FixedBase<P> fixed(base.to_affine(), exec);
  std::vector<Fr> scalars = {Fr::zero(),
                             Fr::one(),
                             Fr::minus_one(),
                             Fr::from_u64(2048),
                             Fr::from_u64(2049),
                             Fr::from_u64(4095),
                             Fr::minus_one() * Fr::from_u64(2).inverse()};
  for (int i = 0; i < 1100; ++i) scalars.push_back(Fr::random());
  std::vector<typename P::Affine> out(scalars.size());
  fixed.multiply(scalars, out, exec);
  for (std::size_t i = 0; i < scalars.size(); i += i < 10 ? 1 : 50)
    EXPECT_EQ(out[i], (base * scalars[i]).to_affine()) << i;
  EXPECT_TRUE(out[0].is_infinity());
  fixed.multiply({}, {}, exec);
}

}  // namespace
}  // namespace proofline::math
