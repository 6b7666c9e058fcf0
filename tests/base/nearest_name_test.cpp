#include "base/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace proofline {
namespace {

constexpr std::array<std::string_view, 3> kNames{"porep", "post", "update"};

TEST(NearestName, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(nearest_name("post", kNames), "post");
  EXPECT_EQ(nearest_name("pst", kNames), "post");
  EXPECT_EQ(nearest_name("porrep", kNames), "porep");
  EXPECT_EQ(nearest_name("updite", kNames), "update");
}

TEST(NearestName, TheFirstOfEquals) {
  EXPECT_EQ(nearest_name("x", std::array<std::string_view, 2>{"a", "b"}), "a");
}

TEST(NearestName, OfNoNamesNoneAndOfLongOnesTheBeginning) {
  EXPECT_EQ(nearest_name("post", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'x'), kNames), "porep");
  EXPECT_EQ(nearest_name("", kNames), "post");
}

}  // namespace
}  // namespace proofline
