#include "engine/simulation_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace proofline::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
  try {
    simulation_config_from_json(text, "my.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SimulationConfig, NamesOfPolicies) {
  for (const FlowControl policy : kFlowControls) EXPECT_EQ(flow_control(flow_control_name(policy)), policy);
  EXPECT_THROW(flow_control("hold"), InputError);
}

TEST(SimulationConfig, FieldsLeftOutKeepTheirValues) {
  const SimulationConfig config = simulation_config_from_json(
      R"({"policy": "ledger", "workers": 3, "device_seconds": 2, "base_bytes": "1.5GiB", "budget_bytes": 90000000000})",
      "my.json");
  EXPECT_EQ(config.policy, FlowControl::kLedger);
  EXPECT_EQ(config.workers, 3);
  EXPECT_EQ(config.device_seconds, 2);
  EXPECT_EQ(config.base_bytes, 3 * (std::uint64_t{1} << 29));
  EXPECT_EQ(config.budget_bytes, 90'000'000'000);
  EXPECT_EQ(config.partitions, 10);
}

TEST(SimulationConfig, WrittenAndReadIsTheSame) {
  SimulationConfig config;
  config.policy = FlowControl::kHoldThroughHandover;
  config.jitter = 0.125;
  config.seed = ~std::uint64_t{0};
  config.device_bytes = 17;
  const auto document = to_json(config);
  EXPECT_EQ(to_json(simulation_config_from_json(document.dump(), "my.json")), document);
  EXPECT_NE(document, to_json(SimulationConfig{}));
  EXPECT_EQ(document.size(), 21);
}

TEST(SimulationConfig, MistakesNameFileAndField) {
  EXPECT_THAT(error_of("{"), StartsWith("my.json: "));
  EXPECT_EQ(error_of("[]"), "my.json: expected a JSON object");
  EXPECT_THAT(error_of(R"({"worker": 3})"),
              AllOf(StartsWith("my.json: "), HasSubstr("\"worker\""), HasSubstr("workers")));
  EXPECT_THAT(error_of(R"({"workers": 0})"), StartsWith("my.json: workers: 0"));
  EXPECT_THAT(error_of(R"({"workers": -1})"), StartsWith("my.json: workers: expected a count"));
  EXPECT_THAT(error_of(R"({"proofs": 1.5})"), StartsWith("my.json: proofs: expected a count"));
  EXPECT_THAT(error_of(R"({"proofs": 99999, "partitions": 11})"), StartsWith("my.json: proofs: 99999"));
  EXPECT_THAT(error_of(R"({"policy": "hold"})"), AllOf(StartsWith("my.json: policy: "), HasSubstr("ledger")));
  EXPECT_THAT(error_of(R"({"policy": 1})"), StartsWith("my.json: policy: "));
  EXPECT_THAT(error_of(R"({"device_seconds": -1})"), StartsWith("my.json: device_seconds: -1"));
  EXPECT_THAT(error_of(R"({"device_seconds": "1"})"), StartsWith("my.json: device_seconds: expected a number"));
  EXPECT_THAT(error_of(R"({"jitter": 1})"), StartsWith("my.json: jitter: "));
  EXPECT_THAT(error_of(R"({"seed": "1GiB"})"), StartsWith("my.json: seed: expected a whole number"));
  EXPECT_THAT(error_of(R"({"base_bytes": "many"})"), StartsWith("my.json: base_bytes: \"many\" is not a size"));
  EXPECT_THAT(error_of(R"({"base_bytes": 1e3})"), StartsWith("my.json: base_bytes: expected"));
  EXPECT_THAT(error_of(R"({"base_bytes": "2000TiB"})"), StartsWith("my.json: base_bytes: "));
  EXPECT_THAT(error_of(R"({"synthesis_bytes": "17GiB"})"), StartsWith("my.json: synthesis_bytes: 17 GiB"));
  EXPECT_THAT(error_of(R"({"freed_bytes": "17GiB"})"), StartsWith("my.json: freed_bytes: 17 GiB"));
  EXPECT_THAT(error_of(R"({"policy": "ledger", "budget_bytes": "80GiB"})"),
              AllOf(StartsWith("my.json: budget_bytes: 80 GiB"), HasSubstr("it takes 86 GiB")));
}

}  // namespace
}  // namespace proofline::engine
