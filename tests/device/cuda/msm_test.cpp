#include "device/cuda/msm.hpp"

#include <random>

#include "device/cuda/device.hpp"
#include "math/msm.hpp"
#include "math/points.hpp"

namespace proofline::cuda {
namespace {

template <class Point>
class Msm : public testing::Test {
 public:
  using Affine = typename Point::Affine;

  Point on_device(const std::vector<Affine>& points, const std::vector<math::Fr>& scalars, unsigned copies) {
    const MsmPlan plan = plan_msm(points.size(), copies);
    test::DeviceArray<Affine> all(plan.items());
    all.set(points);
    test::DeviceArray<math::Fr> factors(scalars);
    if (copies > 1) {
      test::DeviceArray<std::byte> memory(copy_points_device_bytes<Point>());
      copy_points<Point>(plan, all.span(), Arena(memory.span()), nullptr);
      test::cuda_check(cudaDeviceSynchronize());
    }
    test::DeviceArray<std::byte> memory(msm_device_bytes<Point>(plan));
    std::vector<std::byte> sums(plan.sets * kSetSumBytes<Point>);
    enqueue_msm<Point>(plan, all.span(), factors.span(), Arena(memory.span()), sums, nullptr);
    test::cuda_check(cudaDeviceSynchronize());
    return finish_msm<Point>(plan, sums);
  }

  std::mt19937_64 random{7};
  Executor exec;
  const std::vector<Affine> distinct = test::some_points<Point>(2000);

  /// Points with infinities, repetitions and opposites; scalars with zero, one, minus one, equal and small ones.
  void make(std::size_t n, std::vector<Affine>& points, std::vector<math::Fr>& scalars) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto kind = random() % 16;
      Affine point = distinct[random() % distinct.size()];
      if (kind == 0) point = Affine();
      if (kind == 1 && i > 0) point = points[i - 1];
      if (kind == 2 && i > 0) point = -points[i - 1];
      points.push_back(point);
      math::Fr scalar = math::Fr::random();
      switch (random() % 8) {
        case 0:
          scalar = math::Fr();
          break;
        case 1:
          scalar = math::Fr::one();
          break;
        case 2:
          scalar = math::Fr::minus_one();
          break;
        case 3:
          if (i > 0) scalar = scalars[i - 1];
          break;
        case 4:
          scalar = math::Fr::from_u64(random() % 1000);
          break;
        default:
          break;
      }
      scalars.push_back(scalar);
    }
  }
};

using Groups = testing::Types<math::G1, math::G2>;
TYPED_TEST_SUITE(Msm, Groups);

TYPED_TEST(Msm, AgreesWithTheHostForOddSizesAndSpecialValues) {
  PROOFLINE_NEEDS_DEVICE();
  for (const std::size_t n : {1, 2, 3, 5, 31, 32, 33, 100, 255, 257, 1000, 1001, 4099}) {
    for (const unsigned copies : {1u, 2u, 3u, 4u, 8u}) {
      std::vector<typename TypeParam::Affine> points;
      std::vector<math::Fr> scalars;
      this->make(n, points, scalars);
      EXPECT_TRUE(this->on_device(points, scalars, copies) == math::msm(points, scalars, this->exec))
          << n << " points, " << copies << " copies";
    }
  }
}

TYPED_TEST(Msm, AgreesWithTheHostInRandomCases) {
  PROOFLINE_NEEDS_DEVICE();
  const int cases = test::random_cases(50);
  for (int i = 0; i < cases; ++i) {
    const std::size_t n = 2 * (this->random() % 1000) + 1;
    const auto copies = static_cast<unsigned>(1 + this->random() % MsmPlan::kMaxCopies);
    std::vector<typename TypeParam::Affine> points;
    std::vector<math::Fr> scalars;
    this->make(n, points, scalars);
    ASSERT_TRUE(this->on_device(points, scalars, copies) == math::msm(points, scalars, this->exec))
        << "case " << i << ": " << n << " points, " << copies << " copies";
  }
}

TYPED_TEST(Msm, OfEqualPointsWithEqualScalarsIsOneMultiple) {
  PROOFLINE_NEEDS_DEVICE();
  // All in the same buckets: the longest lists there can be, and doublings in each round.
  const std::vector<typename TypeParam::Affine> points(10007, this->distinct[5]);
  const math::Fr scalar = math::Fr::random();
  const std::vector<math::Fr> scalars(points.size(), scalar);
  EXPECT_TRUE(this->on_device(points, scalars, 1) ==
              TypeParam(points[0]) * (scalar * math::Fr::from_u64(points.size())));
}

TYPED_TEST(Msm, OfZeroScalarsAndOfNoPointsIsInfinity) {
  PROOFLINE_NEEDS_DEVICE();
  EXPECT_TRUE(this->on_device(this->distinct, std::vector<math::Fr>(this->distinct.size()), 1).is_infinity());
  EXPECT_TRUE(this->on_device({}, {}, 1).is_infinity());
}

TEST(MsmPlan, CoversAllBitsOfAScalarOnce) {
  for (const std::size_t n : {0ul, 1ul, 1000ul, 1ul << 20, (1ul << 27) - 1}) {
    for (unsigned copies = 1; copies <= MsmPlan::kMaxCopies; ++copies) {
      const MsmPlan plan = plan_msm(n, copies);
      std::vector<int> covered(256);
      for (unsigned s = 0; s < plan.sets; ++s) {
        for (unsigned c = 0; c < plan.windows(s); ++c) {
          for (unsigned bit = 0; bit < plan.width[s]; ++bit) {
            const unsigned at = c * plan.copy_bits + plan.shift[s] + bit;
            if (at < 256) ++covered[at];
          }
        }
      }
      EXPECT_EQ(covered, std::vector<int>(256, 1)) << n << " points, " << copies << " copies";
    }
  }
}

TEST(MsmPlan, RefusesWhatDoesNotFit) {
  EXPECT_THROW(plan_msm(std::size_t{1} << 30), InputError);
  EXPECT_THROW(plan_msm(std::size_t{1} << 29, 2), InputError);
  EXPECT_THROW(plan_msm(5, 0), InputError);
  EXPECT_THROW(plan_msm(5, 9), InputError);
}

TEST(MsmPlan, RefusesAnArenaThatIsTooSmallAndWrongLengths) {
  const MsmPlan plan = plan_msm(2);
  std::vector<std::byte> sums(plan.sets * kSetSumBytes<math::G1>);
  const math::G1Affine points[2] = {};
  const math::Fr scalars[2] = {};
  EXPECT_THROW(enqueue_msm<math::G1>(plan, std::span(points, 1), scalars, Arena({}), sums, nullptr), InputError);
  EXPECT_THROW(enqueue_msm<math::G1>(plan, points, std::span(scalars, 1), Arena({}), sums, nullptr), InputError);
  EXPECT_THROW(enqueue_msm<math::G1>(plan, points, scalars, Arena({}), {}, nullptr), InputError);
  PROOFLINE_NEEDS_DEVICE();
  EXPECT_THROW(enqueue_msm<math::G1>(plan, points, scalars, Arena({}), sums, nullptr), InputError);
}

}  // namespace
}  // namespace proofline::cuda
