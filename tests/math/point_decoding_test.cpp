#include "math/point_decoding.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/ifma.hpp"
#include "points.hpp"
#include "support/indices.hpp"

namespace proofline::math {
namespace {

template <class P>
class PointDecoding : public testing::Test {
 protected:
  using Affine = typename P::Affine;

  void SetUp() override {
    if (!ifma_available()) GTEST_SKIP() << "no fast way on this processor";
  }
  static std::vector<std::uint8_t> encode(std::span<const Affine> points) {
    std::vector<std::uint8_t> out;
    for (const Affine& point : points) {
      const auto bytes = point.to_uncompressed();
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
  }
  static bool decodes(std::span<const std::uint8_t> list) {
    const auto indices = test::first_indices(list.size() / Affine::kUncompressed);
    std::vector<Affine> out(indices.size());
    return decode_points(list, indices, out);
  }
};
using Groups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(PointDecoding, Groups);

TYPED_TEST(PointDecoding, AnyIndicesGiveTheirPoints) {
  const std::vector<typename TypeParam::Affine> points = test::some_points<TypeParam>(300);
  const auto list = this->encode(points);
  std::mt19937_64 rng(1);
  for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 100U}) {
    std::vector<std::uint32_t> indices(count);
    for (auto& index : indices) index = static_cast<std::uint32_t>(rng() % points.size());
    std::vector<typename TypeParam::Affine> out(count);
    ASSERT_TRUE(decode_points(list, indices, out));
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(out[k], points[indices[k]]) << count << ' ' << k;
  }
}

TYPED_TEST(PointDecoding, NoWrongPointAtAnyPlacePasses) {
  const auto good = this->encode(test::some_points<TypeParam>(19));
  ASSERT_TRUE(this->decodes(good));
  constexpr std::size_t kSize = TypeParam::Affine::kUncompressed;
  // p and 2^384 - 1 as big-endian coordinates
  constexpr std::uint8_t kModulus[] = {0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6,
                                       0x43, 0x4b, 0xac, 0xd7, 0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf,
                                       0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24, 0x1e, 0xab, 0xff, 0xfe,
                                       0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab};
  const auto refused = [&](std::size_t point, const auto& damage) {
    auto bad = good;
    damage(std::span(bad).subspan(point * kSize, kSize));
    return !this->decodes(bad);
  };
  for (const std::size_t point : {0U, 7U, 8U, 16U, 18U}) {
    for (std::size_t byte = 0; byte < kSize; byte += 5)
      EXPECT_TRUE(refused(point, [&](auto bytes) { bytes[byte] = static_cast<std::uint8_t>(bytes[byte] ^ 4); }))
          << point << ' ' << byte;
    for (const unsigned flag : {0x80U, 0x40U, 0x20U})
      EXPECT_TRUE(refused(point, [&](auto bytes) { bytes[0] = static_cast<std::uint8_t>(bytes[0] | flag); }))
          << "flag " << flag;
    EXPECT_TRUE(refused(point, [](auto bytes) { std::ranges::fill(bytes, std::uint8_t{0}); })) << "zeros";
    EXPECT_TRUE(refused(point, [](auto bytes) {
      std::ranges::fill(bytes, std::uint8_t{0});
      bytes[0] = 0x40;
    })) << "infinity";
    for (std::size_t coordinate = 0; coordinate < kSize; coordinate += 48) {
      EXPECT_TRUE(refused(point, [&](auto bytes) { std::ranges::copy(kModulus, bytes.begin() + coordinate); }));
      // The same value and p more: still a point, but not canonical.
      EXPECT_TRUE(refused(point,
                          [&](auto bytes) {
                            unsigned carry = 0;
                            for (std::size_t i = 48; i-- > 0;) {
                              carry += bytes[coordinate + i] + kModulus[i];
                              bytes[coordinate + i] = static_cast<std::uint8_t>(carry);
                              carry >>= 8;
                            }
                          }))
          << "p more in the coordinate at " << coordinate;
    }
  }
}

}  // namespace
}  // namespace proofline::math
