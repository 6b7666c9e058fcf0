// Multiples of one point on the device: equal to the host's.
#include "device/cuda/fixed_base.hpp"

#include <random>

#include "device/cuda/device.hpp"
#include "math/fixed_base.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;

/// Zero, small ones, those at the edges of windows and of the field, and random ones.
std::vector<Fr> scalars_of_all_kinds(std::size_t n) {
  std::vector<Fr> out;
  const auto both_signs = [&](const Fr& value) {
    out.push_back(value);
    out.push_back(-value);
  };
  for (std::uint64_t i = 0; i < 5; ++i) both_signs(Fr::from_u64(i));
  for (unsigned exponent = 15; exponent < 255; ++exponent) {
    if (exponent % 16 != 0 && exponent % 16 != 15) continue;
    both_signs(Fr::power_of_two(exponent));
    both_signs(Fr::power_of_two(exponent) - Fr::one());
    both_signs(Fr::power_of_two(exponent) + Fr::one());
  }
  // 0x8000 in every window, and all digits of the same sign.
  both_signs(Fr::from_canonical({0x8000800080008000, 0x8000800080008000, 0x8000800080008000, 0x0000800080008000}));
  both_signs(Fr::from_canonical({0x7fff7fff7fff7fff, 0x7fff7fff7fff7fff, 0x7fff7fff7fff7fff, 0x00007fff7fff7fff}));
  std::mt19937_64 random(4);
  while (out.size() < n) out.push_back(Fr::from_canonical({random(), random(), random(), random() >> 2}));
  return out;
}

template <class Point>
class FixedBaseOnDevice : public testing::Test {
 public:
  using Affine = typename Point::Affine;

  void expect_multiples(const Affine& base, const std::vector<Fr>& scalars) {
    const Executor exec;
    std::vector<Affine> expected(scalars.size()), got(scalars.size());
    math::FixedBase<Point>(base, exec).multiply(scalars, expected, exec);
    test::DeviceArray<Affine> table(fixed_base_table<Point>(base, exec));
    test::DeviceArray<Fr> on_device(scalars);
    test::DeviceArray<Affine> out(scalars.size());
    test::DeviceArray<std::byte> room(fixed_base_device_bytes<Point>());
    enqueue_multiples<Point>(table.span(), on_device.span(), out.span(), Arena(room.span()), nullptr);
    test::cuda_check(cudaDeviceSynchronize());
    test::cuda_check(cudaMemcpy(got.data(), out.span().data(), out.span().size_bytes(), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_TRUE(got[i] == expected[i]) << i << " of " << got.size();
  }
};

using Groups = testing::Types<math::G1, math::G2>;
TYPED_TEST_SUITE(FixedBaseOnDevice, Groups);

TYPED_TEST(FixedBaseOnDevice, AgreesWithTheHost) {
  PROOFLINE_NEEDS_DEVICE();
  const auto base = (TypeParam::generator() * Fr::from_u64(0x123456789)).to_affine();
  for (const std::size_t n : {1, 1000, 70000}) this->expect_multiples(base, scalars_of_all_kinds(n));
  this->expect_multiples(TypeParam::Affine::generator(), scalars_of_all_kinds(1000));
}

using FixedBaseOfG1 = FixedBaseOnDevice<math::G1>;
TEST_F(FixedBaseOfG1, MoreScalarsThanAreNormalisedTogetherAgreeWithTheHost) {
  PROOFLINE_NEEDS_DEVICE();
  expect_multiples(math::G1Affine::generator(), scalars_of_all_kinds((1 << 20) + 77));
}

TYPED_TEST(FixedBaseOnDevice, TablesHoldTheMultiplesOfEachWindow) {
  const auto table = fixed_base_table<TypeParam>(TypeParam::Affine::generator(), Executor());
  ASSERT_EQ(table.size(), kFixedBaseMultiples);
  for (const unsigned w : {0u, 1u, 15u}) {
    for (const std::size_t digit : {std::size_t{1}, std::size_t{2}, std::size_t{777}, kFixedBaseDigits}) {
      const Fr scalar = Fr::from_u64(digit) * Fr::power_of_two(16 * w);
      EXPECT_TRUE(table[w * kFixedBaseDigits + digit - 1] == (TypeParam::generator() * scalar).to_affine());
    }
  }
}

TYPED_TEST(FixedBaseOnDevice, SizesAreChecked) {
  const std::vector<typename TypeParam::Affine> table(kFixedBaseMultiples);
  const Fr scalars[2] = {};
  typename TypeParam::Affine points[2] = {};
  EXPECT_THROW(enqueue_multiples<TypeParam>(std::span(table).first(5), scalars, points, Arena({}), nullptr),
               InputError);
  EXPECT_THROW(enqueue_multiples<TypeParam>(table, std::span(scalars, 1), points, Arena({}), nullptr), InputError);
  EXPECT_THROW(enqueue_multiples<TypeParam>(table, scalars, points, Arena({}), nullptr), InputError);
}

}  // namespace
}  // namespace proofline::cuda
