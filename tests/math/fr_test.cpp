#include "math/fr.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace proofline::math {
namespace {

constexpr Fr::Limbs kModulus = {0xffffffff00000001ULL, 0x53bda402fffe5bfeULL, 0x3339d80809a1d805ULL,
                                0x73eda753299d7d48ULL};

std::array<std::uint8_t, 32> bytes_of(Fr::Limbs limbs) {
  std::array<std::uint8_t, 32> out;
  std::memcpy(out.data(), limbs.data(), out.size());
  return out;
}

TEST(Fr, CanonicalBytesRoundTrip) {
  for (const Fr& value : {Fr::zero(), Fr::one(), Fr::minus_one(), Fr::random(), Fr::random()}) {
    EXPECT_EQ(*Fr::from_bytes(value.to_bytes()), value);
    EXPECT_EQ(Fr::from_canonical(value.to_canonical()), value);
    EXPECT_EQ(bytes_of(value.to_canonical()), value.to_bytes());
  }
  EXPECT_EQ(Fr::from_u64(0x0102030405060708ULL).to_bytes()[0], 8);
}

TEST(Fr, IntegersFromTheModulusUpAreRefused) {
  Fr::Limbs limbs = kModulus;
  EXPECT_FALSE(Fr::from_bytes(bytes_of(limbs)));
  limbs[0] += 1;
  EXPECT_FALSE(Fr::from_bytes(bytes_of(limbs)));
  limbs.fill(~std::uint64_t{0});
  EXPECT_FALSE(Fr::from_bytes(bytes_of(limbs)));
  limbs = kModulus;
  limbs[0] -= 1;
  ASSERT_TRUE(Fr::from_bytes(bytes_of(limbs)));
  EXPECT_EQ(*Fr::from_bytes(bytes_of(limbs)), Fr::minus_one());
  EXPECT_TRUE(Fr::from_bytes(std::array<std::uint8_t, 32>{})->is_zero());
}

TEST(Fr, FieldLaws) {
  for (int i = 0; i < 200; ++i) {
    const Fr a = Fr::random(), b = Fr::random(), c = Fr::random();
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a + b) - b, a);
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a + -a, Fr::zero());
    EXPECT_EQ(a * a.inverse(), Fr::one());
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.doubled(), a + a);
  }
  EXPECT_EQ(Fr::one() + Fr::minus_one(), Fr::zero());
  EXPECT_EQ(Fr::zero().inverse(), Fr::zero());
}

TEST(Fr, Powers) {
  EXPECT_EQ(Fr::from_u64(3).pow(5), Fr::from_u64(243));
  EXPECT_EQ(Fr::from_u64(3).pow(0), Fr::one());
  for (unsigned i = 0; i < 255; ++i) EXPECT_EQ(Fr::power_of_two(i), Fr::from_u64(2).pow(i)) << i;
  Fr::Limbs exponent = kModulus;  // Fermat: a^(r-1) = 1
  exponent[0] -= 1;
  EXPECT_EQ(Fr::from_u64(123456789).pow(exponent), Fr::one());
}

TEST(Fr, BatchInverseLeavesZerosAlone) {
  std::vector<Fr> values = {Fr::zero(), Fr::random(), Fr::zero(), Fr::one(), Fr::random(), Fr::zero()};
  const std::vector<Fr> before = values;
  batch_inverse(values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], before[i].inverse());
  std::vector<Fr> none;
  batch_inverse(none);
}

}  // namespace
}  // namespace proofline::math
