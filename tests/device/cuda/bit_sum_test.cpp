#include "device/cuda/bit_sum.hpp"

#include <random>

#include "device/cuda/device.hpp"
#include "math/points.hpp"

namespace proofline::cuda {
namespace {

template <class Point>
class BitSum : public testing::Test {
 public:
  using Affine = typename Point::Affine;

  Point on_device(const std::vector<Affine>& points, const std::vector<std::uint32_t>& bits, unsigned group) {
    test::DeviceArray<Affine> all(points);
    test::DeviceArray<Affine> groups(grouped_points(points.size(), group));
    test::DeviceArray<std::byte> room(group_points_device_bytes<Point>());
    group_points<Point>(all.span(), group, groups.span(), Arena(room.span()), nullptr);
    test::DeviceArray<std::uint32_t> words(bits);
    test::DeviceArray<std::byte> memory(bit_sum_device_bytes<Point>(points.size(), group));
    std::byte sum[kBitSumBytes<Point>];
    enqueue_bit_sum<Point>(groups.span(), points.size(), group, words.span(), Arena(memory.span()), sum, nullptr);
    test::cuda_check(cudaDeviceSynchronize());
    return finish_bit_sum<Point>(sum);
  }

  void expect_sum(const std::vector<Affine>& points, const std::vector<bool>& selected) {
    std::vector<std::uint32_t> bits((points.size() + 31) / 32);
    Point sum;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!selected[i]) continue;
      bits[i / 32] |= 1u << i % 32;
      sum += points[i];
    }
    for (const unsigned group : {1u, 2u, 4u}) {
      EXPECT_TRUE(on_device(points, bits, group) == sum) << points.size() << " points in groups of " << group;
    }
  }

  std::mt19937_64 random{3};
  const std::vector<Affine> distinct = test::some_points<Point>(1000);
};

using Groups = testing::Types<math::G1, math::G2>;
TYPED_TEST_SUITE(BitSum, Groups);

TYPED_TEST(BitSum, AgreesWithTheHostForOddSizesAndSpecialPoints) {
  PROOFLINE_NEEDS_DEVICE();
  for (const std::size_t n : {1, 2, 31, 32, 33, 64, 65, 1000, 4097, 50000}) {
    std::vector<typename TypeParam::Affine> points;
    std::vector<bool> selected;
    for (std::size_t i = 0; i < n; ++i) {
      auto point = this->distinct[this->random() % this->distinct.size()];
      const auto kind = this->random() % 8;
      if (kind == 0) point = {};
      if (kind == 1 && i > 0) point = points[i - 1];
      if (kind == 2 && i > 0) point = -points[i - 1];
      points.push_back(point);
      selected.push_back(this->random() % 2 != 0);
    }
    this->expect_sum(points, selected);
    this->expect_sum(points, std::vector<bool>(n, true));
    this->expect_sum(points, std::vector<bool>(n, false));
  }
}

TEST(BitSumArguments, NoPointsGiveInfinityWithoutADevice) {
  std::byte sum[kBitSumBytes<math::G1>];
  enqueue_bit_sum<math::G1>({}, 0, 1, {}, Arena({}), sum, nullptr);
  EXPECT_TRUE(finish_bit_sum<math::G1>(sum).is_infinity());
}

TEST(BitSumArguments, AreChecked) {
  const math::G1Affine points[33] = {};
  const std::uint32_t bits[2] = {};
  std::byte sum[kBitSumBytes<math::G1>];
  EXPECT_THROW(enqueue_bit_sum<math::G1>(points, 33, 1, std::span(bits, 1), Arena({}), sum, nullptr), InputError);
  EXPECT_THROW(enqueue_bit_sum<math::G1>(points, 33, 1, bits, Arena({}), {}, nullptr), InputError);
  EXPECT_THROW(enqueue_bit_sum<math::G1>(points, 33, 2, bits, Arena({}), sum, nullptr), InputError);
  EXPECT_THROW(enqueue_bit_sum<math::G1>(points, 33, 3, bits, Arena({}), sum, nullptr), InputError);
  EXPECT_THROW(finish_bit_sum<math::G1>({}), InputError);
}

}  // namespace
}  // namespace proofline::cuda
