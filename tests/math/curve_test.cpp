#include "math/curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "points.hpp"

namespace proofline::math {
namespace {

using testing::HasSubstr;

template <class P>
class Curve : public testing::Test {};
using Groups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(Curve, Groups);

template <class Affine>
std::string uncompressed_error(const std::array<std::uint8_t, Affine::kUncompressed>& bytes, PointCheck check) {
  try {
    Affine::from_uncompressed(bytes, check, "the point");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

template <class Affine>
std::string compressed_error(const std::array<std::uint8_t, Affine::kCompressed>& bytes) {
  try {
    Affine::from_compressed(bytes, PointCheck::kSubgroup, "the point");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TYPED_TEST(Curve, EncodingsRoundTrip) {
  using Affine = typename TypeParam::Affine;
  auto points = test::some_points<TypeParam>(20);
  points.push_back(Affine{});
  for (const Affine& p : points) {
    for (const Affine& q : {p, -p}) {
      EXPECT_EQ(Affine::from_uncompressed(q.to_uncompressed(), PointCheck::kSubgroup, ""), q);
      EXPECT_EQ(Affine::from_compressed(q.to_compressed(), PointCheck::kSubgroup, ""), q);
    }
  }
  EXPECT_TRUE(Affine::from_compressed(Affine{}.to_compressed(), PointCheck::kSubgroup, "").is_infinity());
}

TYPED_TEST(Curve, BadEncodingsAreNamed) {
  using Affine = typename TypeParam::Affine;
  const Affine& g = Affine::generator();
  auto bytes = g.to_uncompressed();
  bytes[bytes.size() - 1] ^= 1;
  EXPECT_THAT(uncompressed_error<Affine>(bytes, PointCheck::kCurve), HasSubstr("the point: point is not on the curve"));

  bytes = g.to_uncompressed();
  bytes[0] = 0x1f;  // a coordinate above the modulus
  bytes[1] = 0xff;
  EXPECT_THAT(uncompressed_error<Affine>(bytes, PointCheck::kCurve), HasSubstr("canonical"));

  bytes = g.to_uncompressed();
  bytes[0] |= 0x80;
  EXPECT_THAT(uncompressed_error<Affine>(bytes, PointCheck::kCurve), HasSubstr("expected an uncompressed point"));
  bytes = g.to_uncompressed();
  bytes[0] |= 0x40;  // infinity with a coordinate
  EXPECT_NE(uncompressed_error<Affine>(bytes, PointCheck::kCurve), "");

  auto compressed = g.to_compressed();
  compressed[0] &= 0x7f;
  EXPECT_THAT(compressed_error<Affine>(compressed), HasSubstr("expected a compressed point"));
  compressed = g.to_compressed();
  compressed[0] ^= 0x20;  // the other sign is another good point
  EXPECT_EQ(Affine::from_compressed(compressed, PointCheck::kSubgroup, ""), -g);
  // About half of all x have no y, and nearly all others lie outside the subgroup.
  int refused = 0;
  for (unsigned i = 1; i <= 50; ++i) {
    compressed = {};
    compressed[0] = 0x80;
    compressed[compressed.size() - 1] = static_cast<std::uint8_t>(i);
    refused += compressed_error<Affine>(compressed).empty() ? 0 : 1;
  }
  EXPECT_EQ(refused, 50);
}

TYPED_TEST(Curve, GroupLaws) {
  using P = TypeParam;
  const P g = P::generator();
  const Fr a = Fr::random(), b = Fr::random();
  EXPECT_EQ(g * a + g * b, g * (a + b));
  EXPECT_EQ((g * a) * b, g * (a * b));
  EXPECT_EQ(g + g, g.doubled());
  EXPECT_TRUE((g + -g).is_infinity());
  EXPECT_EQ(g + P(), g);
  EXPECT_TRUE((g * Fr::zero()).is_infinity());
  P mixed = g * a;
  mixed += P::Affine::generator();
  EXPECT_EQ(mixed, g * (a + Fr::one()));
  EXPECT_TRUE(typename P::Affine{}.is_infinity());
  EXPECT_TRUE((-typename P::Affine{}).is_infinity());
}

TYPED_TEST(Curve, ManyPointsToAffine) {
  using P = TypeParam;
  std::vector<P> points;
  P point = P::generator();
  for (int i = 0; i < 3000; ++i) {
    points.push_back(i % 7 == 0 ? P() : point);
    point = point.doubled();
  }
  std::vector<typename P::Affine> affine(points.size());
  to_affine(points, affine, Executor(2));
  for (std::size_t i = 0; i < points.size(); i += 13) EXPECT_EQ(affine[i], points[i].to_affine());
  EXPECT_TRUE(affine[7].is_infinity());
}

}  // namespace
}  // namespace proofline::math
