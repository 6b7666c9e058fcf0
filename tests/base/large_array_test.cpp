#include "base/large_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

namespace proofline {
namespace {

TEST(LargeArray, BeginsAsZeros) {
  const LargeArray<std::uint64_t> array(1'000'000);
  ASSERT_EQ(array.size(), 1'000'000U);
  for (const std::uint64_t value : array.span()) ASSERT_EQ(value, 0U);
}

TEST(LargeArray, MovesItsElements) {
  LargeArray<int> first(3);
  first[2] = 7;
  const int* const place = first.data();
  LargeArray<int> second(std::move(first));
  EXPECT_EQ(second.data(), place);
  EXPECT_TRUE(first.span().empty());
  LargeArray<int> third;
  third = std::move(second);
  EXPECT_EQ(third[2], 7);
  EXPECT_EQ(third.size(), 3U);
}

TEST(LargeArray, TruncatesToItsFirstElements) {
  LargeArray<int> array(3);
  array.truncate(2);
  EXPECT_EQ(array.size(), 2U);
  array.truncate(5);
  EXPECT_EQ(array.size(), 2U);
}

TEST(LargeArray, EmptyAndImpossibleSizes) {
  EXPECT_TRUE(LargeArray<int>(0).span().empty());
  EXPECT_THROW(LargeArray<std::byte>(std::size_t{1} << 62), std::bad_alloc);
}

}  // namespace
}  // namespace proofline
