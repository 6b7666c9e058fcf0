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

  const std::uint64_t program = plan.at("bytes").at("program");
  const auto too_little = with_memory(std::to_string((program >> 20) + 30) + "MiB");
  EXPECT_EQ(too_little.status, 1) << too_little.err;
  EXPECT_THAT(too_little.out, AllOf(HasSubstr("winning-2k: 1 partition of"), HasSubstr("limit: memory")));
}

TEST(PlanCommand, ADeviceIsPlannedForFromAnH200) {
  const auto with_device = [&](const std::string& memory, const std::string& form = "--quiet") {
    return run_proofline({"plan", "--proof", "winning-post", "--sector", "2KiB", "--cores", "4", "--memory", "1GiB",
                          "--device", memory, form});
  };
  const auto enough = with_device("24GiB", "--json");
  ASSERT_EQ(enough.status, 0) << enough.err;
  const auto device = enough.json().at("device");
  EXPECT_EQ(device.at("parameters_resident"), true);
  EXPECT_EQ(device.at("seconds_scaled_from"), "H200");
  EXPECT_GT(device.at("seconds").at("h"), 0);
  const auto text = with_device("24GiB");
  EXPECT_THAT(text.out, AllOf(HasSubstr("scaled from an H200"), HasSubstr("stay on the device"), HasSubstr("limit: ")));
  const auto too_little = with_device("1MiB");
  EXPECT_EQ(too_little.status, 1);
  EXPECT_THAT(too_little.out, HasSubstr("limit: device memory. Not even one partition fits"));
}

TEST(PlanCommand, NoMemoryForTheProgramIsAnError) {
  const auto result = run_proofline({"plan", "--memory", "1MiB"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("the program itself takes"));
}

}  // namespace
}  // namespace proofline
