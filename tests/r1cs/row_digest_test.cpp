#include "r1cs/row_digest.hpp"

#include <gtest/gtest.h>

namespace proofline::r1cs {
namespace {

using math::Fr;

TEST(RowDigest, ByteFormIsAsDocumented) {
  const Term a[] = {{kOne, Fr::one()}, {Variable::aux(3), Fr::from_u64(0x0102)}};
  const Term c[] = {{Variable::input(2), Fr::minus_one()}};
  std::vector<std::uint8_t> bytes;
  append_row_bytes(Row{a, {}, c}, bytes);
  ASSERT_EQ(bytes.size(), 3 * 4 + 3 * 40U);
  EXPECT_EQ(bytes[0], 2);      // terms of A
  EXPECT_EQ(bytes[4 + 8], 1);  // coefficient one
  EXPECT_EQ(bytes[44], 3);     // aux 3 ...
  EXPECT_EQ(bytes[48], 1);     // ... is 2^32 + 3
  EXPECT_EQ(bytes[52], 2);     // coefficient, little endian
  EXPECT_EQ(bytes[53], 1);
  EXPECT_EQ(bytes[84], 0);      // B is empty
  EXPECT_EQ(bytes[88], 1);      // terms of C
  EXPECT_EQ(bytes[92], 2);      // input 2
  EXPECT_EQ(bytes[100], 0);     // r - 1 ends in ...00000000
  EXPECT_EQ(bytes[131], 0x73);  // and begins with 0x73
}

TEST(RowDigest, DependsOnOrderAndCoefficients) {
  const auto digest = [](std::uint64_t first, std::uint64_t second) {
    RowDigest sink;
    Builder builder(&sink, Keep::kNothing);
    const Term one[] = {{kOne, Fr::from_u64(first)}};
    const Term two[] = {{kOne, Fr::from_u64(second)}};
    builder.enforce(one, {}, {});
    builder.enforce(two, {}, {});
    return sink.finish();
  };
  EXPECT_EQ(digest(1, 2), digest(1, 2));
  EXPECT_NE(digest(1, 2), digest(2, 1));
  EXPECT_NE(digest(1, 2), digest(1, 3));
}

}  // namespace
}  // namespace proofline::r1cs
