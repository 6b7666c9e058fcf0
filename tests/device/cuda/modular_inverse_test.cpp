#include "device/cuda/modular_inverse.cuh"

#include <gtest/gtest.h>

#include <random>

#include "math/fp.hpp"

namespace proofline::cuda {
namespace {

constexpr Limbs<12> kModulus{{0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe, 0xf6b0f624, 0x6730d2a0, 0xf38512bf,
                              0x64774b84, 0x434bacd7, 0x4b1ba7b6, 0x397fe69a, 0x1a0111ea}};

math::Fp to_fp(const Limbs<12>& value) {
  math::Fp out;
  blst_fp_from_uint32(&out.v, value.l);
  return out;
}

void expect_inverse(const Limbs<12>& value) {
  EXPECT_TRUE(to_fp(value) * to_fp(modular_inverse(value, kModulus)) == math::Fp::one());
}

TEST(ModularInverse, OfZeroIsZero) {
  const Limbs<12> inverse = modular_inverse(Limbs<12>{}, kModulus);
  for (const std::uint32_t limb : inverse.l) EXPECT_EQ(limb, 0u);
}

TEST(ModularInverse, OfSmallNumbersAndPowersOfTwo) {
  for (std::uint32_t i = 1; i < 100; ++i) expect_inverse({{i}});
  for (int limb = 0; limb < 12; ++limb) {
    Limbs<12> value{};
    value.l[limb] = 1;
    expect_inverse(value);
  }
}

TEST(ModularInverse, OfNumbersNextToTheModulus) {
  for (std::uint32_t i = 1; i < 100; ++i) {
    Limbs<12> value = kModulus;
    value.l[0] -= i;
    expect_inverse(value);
  }
}

TEST(ModularInverse, OfRandomNumbersAgreesWithBlst) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    Limbs<12> value;
    for (std::uint32_t& limb : value.l) limb = static_cast<std::uint32_t>(random());
    value.l[11] %= kModulus.l[11];
    expect_inverse(value);
  }
}

}  // namespace
}  // namespace proofline::cuda
