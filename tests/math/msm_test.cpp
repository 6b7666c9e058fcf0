#include "math/msm.hpp"

#include <gtest/gtest.h>

#include <atomic>
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
    const PointReader<Affine> reader = [&](std::span<const std::uint32_t> indices, std::span<Affine> out) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = points[indices[k]];
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
    const PointReader<G1Affine> reader = [&](std::span<const std::uint32_t> indices, std::span<G1Affine> out) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = points[indices[k]];
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
  const PointReader<G1Affine> reader = [&](std::span<const std::uint32_t> indices, std::span<G1Affine> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = base[indices[k] % base.size()];
  };
  for (const unsigned threads : {1U, 5U}) EXPECT_EQ(msm(reader, scalars, Executor(threads)), expected) << threads;
}

/// Scalars of a witness, both as elements and compact: per place a bit or (one in `one_field_in`) a field element, some
/// of those 0, 1 and -1.
struct MixedScalars {
  std::vector<Fr> elements, fields;
  std::vector<std::uint64_t> bits, is_field;

  MixedScalars(std::size_t n, unsigned one_field_in, std::uint64_t seed) : bits((n + 63) / 64), is_field(bits.size()) {
    std::mt19937_64 rng(seed);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t place = std::uint64_t{1} << (i % 64);
      if (rng() % one_field_in != 0) {
        const bool bit = rng() % 2 != 0;
        if (bit) bits[i / 64] |= place;
        elements.push_back(bit ? Fr::one() : Fr::zero());
        continue;
      }
      is_field[i / 64] |= place;
      const Fr special[] = {Fr::zero(), Fr::one(), Fr::minus_one(), Fr::from_u64(rng() % 1000)};
      const auto kind = rng() % 8;
      elements.push_back(kind < 4 ? special[kind] : Fr::from_u64(rng()) * Fr::from_u64(rng()) * Fr::from_u64(rng()));
      fields.push_back(elements.back());
    }
  }
};

/// The scalars in pieces of up to `most`.
class Pieces {
 public:
  Pieces(const MixedScalars& scalars, std::size_t most) : scalars_(scalars), most_(most) {}
  ScalarSource source() {
    return [this](CompactScalars& piece) { return next(piece); };
  }

 private:
  bool next(CompactScalars& piece) {
    if (begin_ == scalars_.elements.size()) return false;
    const std::size_t size = std::min(most_, scalars_.elements.size() - begin_);
    bits_.assign((size + 63) / 64, 0);
    is_field_.assign(bits_.size(), 0);
    std::size_t fields = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto move = [&](const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to) {
        const std::uint64_t bit = (from[(begin_ + i) / 64] >> ((begin_ + i) % 64)) & 1;
        to[i / 64] |= bit << (i % 64);
        return bit;
      };
      move(scalars_.bits, bits_);
      fields += move(scalars_.is_field, is_field_);
    }
    piece = {size, bits_, is_field_, std::span(scalars_.fields).subspan(field_, fields)};
    begin_ += size;
    field_ += fields;
    return true;
  }

  const MixedScalars& scalars_;
  std::size_t most_, begin_ = 0, field_ = 0;
  std::vector<std::uint64_t> bits_, is_field_;
};

TYPED_TEST(Msm, CompactScalarsGiveTheSumOfTheElements) {
  const auto base = test::some_points<TypeParam>(50);
  // All fields, half of them, few, hardly any; and more bits than a block takes.
  for (const auto& [n, one_field_in] : std::vector<std::pair<std::size_t, unsigned>>{
           {0, 1}, {1, 1}, {1, 100}, {63, 3}, {64, 3}, {65, 3}, {1000, 1}, {3000, 2}, {5000, 20}, {150'000, 5000}}) {
    const MixedScalars scalars(n, one_field_in, n + one_field_in);
    std::vector<Fr> by_point(base.size());
    for (std::size_t i = 0; i < n; ++i) by_point[i % base.size()] += scalars.elements[i];
    std::atomic<bool> read_a_zero{false};
    const PointReader<typename TypeParam::Affine> reader = [&](std::span<const std::uint32_t> indices, auto out) {
      for (std::size_t k = 0; k < out.size(); ++k) {
        if (scalars.elements[indices[k]].is_zero()) read_a_zero = true;
        out[k] = base[indices[k] % base.size()];
      }
    };
    const TypeParam expected = this->naive(base, by_point);
    for (const unsigned threads : {1U, 3U}) {
      for (const std::size_t most : {std::size_t{1} << 20, n / 3 + 1}) {
        Pieces pieces(scalars, most);
        EXPECT_EQ(msm(reader, pieces.source(), scalars.fields.size(), Executor(threads)), expected) << n << ' ' << most;
      }
      EXPECT_EQ(msm(reader, scalars.elements, Executor(threads)), expected) << n;
    }
    EXPECT_FALSE(read_a_zero) << "a point was read that no scalar needs";
  }
}

TEST(MsmBlocks, CompactScalarsWithMoreFieldsThanABlock) {
  const auto base = test::some_points<G1>(64);
  const std::size_t n = 60'000;
  const MixedScalars scalars(n, 2, 4);
  std::vector<Fr> by_point(base.size());
  for (std::size_t i = 0; i < n; ++i) by_point[i % base.size()] += scalars.elements[i];
  G1 expected;
  for (std::size_t i = 0; i < base.size(); ++i) expected += G1(base[i]) * by_point[i];
  const PointReader<G1Affine> reader = [&](std::span<const std::uint32_t> indices, std::span<G1Affine> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = base[indices[k] % base.size()];
  };
  for (const unsigned threads : {1U, 4U}) {
    Pieces pieces(scalars, n);
    EXPECT_EQ(msm(reader, pieces.source(), scalars.fields.size(), Executor(threads)), expected);
  }
}

TEST(MsmEstimate, MorePointsTakeMoreAdditionsAndFewerEach) {
  // 256 bits in windows of at most 16: 16 additions a point, or 17 with a last carry, and the buckets.
  EXPECT_GT(msm_additions(std::size_t{1} << 27), 16.0 * (1 << 27));
  EXPECT_LT(msm_additions(std::size_t{1} << 27), 17.1 * (1 << 27));
  for (std::size_t n = 64; n < (std::size_t{1} << 27); n *= 2) {
    EXPECT_GT(msm_additions(2 * n), msm_additions(n));
    EXPECT_LE(msm_additions(2 * n), 2 * msm_additions(n));
  }
}

TEST(MsmBlocks, AFailingReaderEndsTheSum) {
  const std::vector<Fr> scalars(1000, Fr::from_u64(5));
  const PointReader<G1Affine> reader = [](std::span<const std::uint32_t>, std::span<G1Affine>) {
    throw std::runtime_error("no such block");
  };
  EXPECT_THROW(msm(reader, scalars, Executor(2)), std::runtime_error);
}

}  // namespace
}  // namespace proofline::math
