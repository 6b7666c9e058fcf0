// circuit stats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::run_proofline;
using testing::HasSubstr;

TEST(CircuitCommand, StatsAreTheReferences) {
  const auto table = test::read_json(test::data_path("shapes/porep.json"));
  const auto& expected = table.at("porep-2048");
  const auto result = run_proofline({"circuit", "stats", "--proof", "porep", "--sector", "2048", "--digest", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = result.json();
  for (const auto& [key, value] : expected.items()) {
    if (key == "name") continue;
    EXPECT_EQ(json.at(key), value) << key;
  }
  EXPECT_LT(json.at("peak_rss"), 1 << 30);
}

TEST(CircuitCommand, DigestOnlyWhereAsked) {
  const auto result = run_proofline({"circuit", "stats", "--sector", "2KiB"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("2,687,921"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("digest")));
}

}  // namespace
}  // namespace proofline
