#include "math/msm.hpp"

#include <gtest/gtest.h>

#include <random>

#include "points.hpp"

namespace proofline::math {
namespace {

template <class P>
class Msm : public testing::Test {
 protected:
  using Affine = typename P::Affine;

  static P naive(std::span<const Affine> points, std::span<const Fr> scalars) {
    P sum;
    for (std::size_t i = 0; i < points.size(); ++i) sum += P(points[i]) * scalars[i];
    return sum;
  }
  /// Both ways of bringing the points, one thread and several.
  static void expect_sum(const std::vector<Affine>& points, const std::vector<Fr>& scalars, const P& expected) {
    const PointReader<Affine> reader = [&](std::size_t begin, std::size_t end, std::span<Affine> out) {
      std::copy(points.begin() + static_cast<std::ptrdiff_t>(begin), points.begin() + static_cast<std::ptrdiff_t>(end),
                out.begin());
    };
    for (const unsigned threads : {1U, 3U}) {
      const Executor exec(threads);
      EXPECT_EQ(msm(std::span<const Affine>(points), scalars, exec), expected);
      EXPECT_EQ(msm(reader, scalars, exec), expected);
    }
  }
};
using Groups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(Msm, Groups);

TYPED_TEST(Msm, RandomScalarsOfManySizes) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 31U, 33U, 200U, 1000U}) {
    const auto points = test::some_points<TypeParam>(n);
    std::vector<Fr> scalars(n);
    for (Fr& s : scalars) s = Fr::random();
    this->expect_sum(points, scalars, this->naive(points, scalars));
  }
}

TYPED_TEST(Msm, EdgeScalars) {
  const std::size_t n = 150;
  const auto points = test::some_points<TypeParam>(n);
  std::vector<Fr> edges = {Fr::zero(), Fr::one(), Fr::minus_one(), -Fr::from_u64(2), Fr::from_u64(2),
                           Fr::from_u64(0xffffffff), -Fr::from_u64(0xffffffff),
                           // (r - 1) / 2 and the next: where a scalar turns negative
                           Fr::minus_one() * Fr::from_u64(2).inverse(),
                           Fr::minus_one() * Fr::from_u64(2).inverse() + Fr::one()};
  for (unsigned k = 1; k < 255; k += 9) edges.push_back(Fr::power_of_two(k) - Fr::one());
  for (unsigned k = 1; k < 255; k += 9) edges.push_back(Fr::power_of_two(k));
  for (const Fr& scalar : edges) {
    const std::vector<Fr> scalars(n, scalar);
    TypeParam sum;
    for (const auto& point : points) sum += point;
    this->expect_sum(points, scalars, sum * scalar);
  }
}

TYPED_TEST(Msm, EqualOppositeAndInfinitePoints) {
  const auto distinct = test::some_points<TypeParam>(3);
  std::mt19937_64 rng(5);
  for (const bool same_scalar : {false, true}) {
    std::vector<typename TypeParam::Affine> points;
    std::vector<Fr> scalars;
    for (int i = 0; i < 500; ++i) {
      const auto& p = distinct[rng() % 3];
      const auto choice = rng() % 5;
      points.push_back(choice == 0 ? typename TypeParam::Affine{} : choice == 1 ? -p : p);
      scalars.push_back(same_scalar ? Fr::from_u64(77) : Fr::from_u64(rng() % 4));
    }
    this->expect_sum(points, scalars, this->naive(points, scalars));
  }
}

TYPED_TEST(Msm, OnePointInOneBucketManyTimes) {
  // Every addition of a window meets the same bucket.
  const std::size_t n = 5000;
  const std::vector<typename TypeParam::Affine> points(n, TypeParam::Affine::generator());
  const std::vector<Fr> scalars(n, Fr::from_u64(123456789));
  this->expect_sum(points, scalars, TypeParam::generator() * (Fr::from_u64(n) * Fr::from_u64(123456789)));
}

TEST(MsmBlocks, SizesAroundABlockOfPoints) {
  // Points come 16,384 at a time. Scalars mix bits with full-size values as a witness does.
  std::mt19937_64 rng(9);
  const auto base = test::some_points<G1>(64);
  for (const std::size_t n : {16383U, 16384U, 16385U, 65537U}) {
    std::vector<G1Affine> points(n);
    std::vector<Fr> scalars(n);
    std::vector<Fr> by_point(base.size());
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = base[i % base.size()];
      const auto kind = rng() % 20;
      scalars[i] = kind < 9    ? Fr::zero()
                   : kind < 16 ? Fr::one()
                   : kind < 17 ? Fr::minus_one()
                   : kind < 18 ? -Fr::from_u64(rng() % 1000)
                   : kind < 19 ? Fr::from_u64(rng() % 100000)
                               : Fr::from_u64(rng()) * Fr::from_u64(rng());
      by_point[i % base.size()] += scalars[i];
    }
    G1 expected;
    for (std::size_t i = 0; i < base.size(); ++i) expected += G1(base[i]) * by_point[i];
    const PointReader<G1Affine> reader = [&](std::size_t begin, std::size_t end, std::span<G1Affine> out) {
      for (std::size_t i = begin; i < end; ++i) out[i - begin] = points[i];
    };
    EXPECT_EQ(msm(reader, scalars, Executor(2)), expected) << n;
  }
}

TEST(MsmBlocks, WindowsInPartsAndBucketsInSegments) {
  // 2^17 full-size scalars: windows of more than 4,096 buckets, which several threads share.
  const std::size_t n = std::size_t{1} << 17;
  const auto base = test::some_points<G1>(256);
  std::vector<Fr> scalars(n), by_point(base.size());
  Fr scalar = Fr::random();
  for (std::size_t i = 0; i < n; ++i) {
    scalars[i] = scalar;
    by_point[i % base.size()] += scalar;
    scalar = scalar.square() + Fr::one();
  }
  G1 expected;
  for (std::size_t i = 0; i < base.size(); ++i) expected += G1(base[i]) * by_point[i];
  const PointReader<G1Affine> reader = [&](std::size_t begin, std::size_t end, std::span<G1Affine> out) {
    for (std::size_t i = begin; i < end; ++i) out[i - begin] = base[i % base.size()];
  };
  for (const unsigned threads : {1U, 5U}) EXPECT_EQ(msm(reader, scalars, Executor(threads)), expected) << threads;
}

TEST(MsmBlocks, AFailingReaderEndsTheSum) {
  const std::vector<Fr> scalars(1000, Fr::from_u64(5));
  const PointReader<G1Affine> reader = [](std::size_t, std::size_t, std::span<G1Affine>) {
    throw std::runtime_error("no such block");
  };
  EXPECT_THROW(msm(reader, scalars, Executor(2)), std::runtime_error);
}

}  // namespace
}  // namespace proofline::math
