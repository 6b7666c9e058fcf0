#include "math/pairing.hpp"

#include <gtest/gtest.h>

namespace proofline::math {
namespace {

TEST(Pairing, IsBilinear) {
  const Fr a = Fr::random(), b = Fr::random();
  const G1Affine pa = (G1::generator() * a).to_affine();
  const G2Affine qb = (G2::generator() * b).to_affine();
  const G1Affine pab = (G1::generator() * (a * b)).to_affine();
  EXPECT_EQ(pairing(pa, qb), pairing(pab, G2Affine::generator()));
  EXPECT_FALSE(pairing(pa, qb) == pairing(pa, G2Affine::generator()));
  EXPECT_FALSE(pairing(pa, qb) == Gt::one());
}

TEST(Pairing, ProductsCancelAndInfinityIsOne) {
  const G1Affine p = (G1::generator() * Fr::from_u64(5)).to_affine();
  const G2Affine q = (G2::generator() * Fr::from_u64(7)).to_affine();
  const G1Affine ps[] = {p, -p};
  const G2Affine qs[] = {q, q};
  EXPECT_EQ(pairing_product(ps, qs), Gt::one());
  EXPECT_EQ(pairing(G1Affine{}, q), Gt::one());
  EXPECT_EQ(pairing(p, G2Affine{}), Gt::one());
  EXPECT_EQ(pairing_product({}, {}), Gt::one());
}

}  // namespace
}  // namespace proofline::math
