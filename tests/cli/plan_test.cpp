// plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::run_proofline;
using testing::AllOf;
using testing::HasSubstr;

TEST(PlanCommand, SaysWhatFitsAndHowLongItTakes) {
  const std::vector<std::string> common = {"plan", "--proof", "winning-post", "--sector", "2KiB", "--cores", "4"};
  const auto with_memory = [&](const std::string& memory, const std::string& form = "") {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), {"--memory", memory});
    if (!form.empty()) arguments.push_back(form);
    return run_proofline(arguments);
  };
  const auto enough = with_memory("1GiB", "--json");
  ASSERT_EQ(enough.status, 0) << enough.err;
  const auto plan = enough.json();
  EXPECT_EQ(plan.at("cores"), 4);
  EXPECT_EQ(plan.at("limit"), "cores");
  EXPECT_GT(plan.at("partitions_in_flight"), 2);
  EXPECT_GT(plan.at("seconds").at("proof").get<double>(), 0);
  const std::uint64_t least = plan.at("bytes").at("least_budget");
  EXPECT_LT(least, std::uint64_t{1} << 30);

  const auto too_little = with_memory("60MiB");
  EXPECT_EQ(too_little.status, 1) << too_little.err;
  EXPECT_THAT(too_little.out, AllOf(HasSubstr("winning-2k: 1 partition of"), HasSubstr("limit: memory")));
}

TEST(PlanCommand, NoMemoryForTheProgramIsAnError) {
  const auto result = run_proofline({"plan", "--memory", "1MiB"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("the program itself takes"));
}

}  // namespace
}  // namespace proofline
