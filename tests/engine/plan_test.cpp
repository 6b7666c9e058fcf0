#include "engine/plan.hpp"

#include <gtest/gtest.h>

#include "engine/parameter_store.hpp"
#include "math/msm.hpp"

namespace proofline::engine {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

PlanCircuit circuit() {
  PlanCircuit out;
  out.rows = 1000;
  out.domain = 1024;
  out.bits = 900;
  out.fields = 100;
  out.b_share_bits = 450;
  out.b_share_fields = 50;
  out.circuit_bytes = 5 * kMiB;
  out.witness_bytes = 3 * kMiB;
  out.input_bytes = 1 * kMiB;
  out.needs.evaluation.host = 40 * kMiB;
  out.needs.sums.host = 50 * kMiB;
  out.needs.finish.host = 10 * kMiB;
  out.partitions = 10;
  return out;
}

/// A rate for one thing, nothing for all others.
Plan with_rate(double MachineRates::*rate, unsigned cores = 1) {
  PlanMachine machine;
  machine.memory = std::uint64_t{1} << 30;
  machine.cores = cores;
  machine.rates.*rate = 1;
  return plan(circuit(), machine, 0);
}

TEST(Plan, MemoryIsWhatTheEngineReserves) {
  const std::uint64_t once = 30 * kMiB + 5 * kMiB + ParameterStore::kParameterBytes + 60 * kMiB;
  PlanMachine machine;
  machine.memory = once + 4 * kMiB - 1;
  const Plan too_little = plan(circuit(), machine, 30 * kMiB);
  EXPECT_EQ(too_little.least_budget, once + 4 * kMiB);
  EXPECT_EQ(too_little.partitions_in_flight, 0U);
  EXPECT_EQ(too_little.limit, "memory");
  machine.memory = too_little.least_budget;
  EXPECT_EQ(plan(circuit(), machine, 30 * kMiB).partitions_in_flight, 1U);
  machine.memory = once + 41 * kMiB;
  const Plan enough = plan(circuit(), machine, 30 * kMiB);
  EXPECT_EQ(enough.partitions_in_flight, 10U);
  EXPECT_EQ(enough.limit, "cores");
}

TEST(Plan, TimeCountsEachPointAndValue) {
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::transform).start_seconds, 6 * 10 * 1024);
  const auto additions = [](std::size_t points) { return math::msm_additions(points); };
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::g1_addition).start_seconds,
                   additions(1024) + 2 * additions(100) + additions(50));
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::g1_bit).start_seconds, 2 * 900 + 450);
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::g2_addition).finish_seconds, additions(50));
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::g2_bit).finish_seconds, 450);
  EXPECT_DOUBLE_EQ(with_rate(&MachineRates::g2_bit, 9).proof_seconds, 10 * 50);
  EXPECT_GT(with_rate(&MachineRates::row).witness_seconds, 0);
}

/// A partition of a 32 GiB PoRep, about.
PlanCircuit mainnet() {
  PlanCircuit out;
  out.rows = 130'278'869;
  out.domain = std::uint64_t{1} << 27;
  out.bits = 128'800'000;
  out.fields = 1'369'893;
  out.b_share_bits = 32'700'000;
  out.b_share_fields = 400'000;
  out.circuit_bytes = 39 * kMiB;
  out.witness_bytes = 17 * kMiB;
  out.input_bytes = 16 * kMiB;
  out.parameter_bytes = std::uint64_t{48} << 30;
  out.partitions = 10;
  return out;
}

Plan on_device(std::uint64_t gib, const MachineRates& rates = {}) {
  PlanMachine machine;
  machine.memory = std::uint64_t{128} << 30;
  machine.cores = 16;
  machine.device_memory = gib << 30;
  machine.rates = rates;
  return plan(mainnet(), machine, 0);
}

TEST(Plan, ADeviceKeepsParametersWhereTheyFit) {
  const Plan large = on_device(140), middle = on_device(80), small = on_device(24), tiny = on_device(12);
  EXPECT_TRUE(large.device->are_parameters_resident);
  EXPECT_EQ(large.device->copies, 2U);
  EXPECT_TRUE(middle.device->are_parameters_resident);
  EXPECT_EQ(middle.device->copies, 1U);
  EXPECT_GT(middle.device->h_seconds, large.device->h_seconds);
  EXPECT_EQ(middle.device->transfer_seconds, 0);
  EXPECT_FALSE(small.device->are_parameters_resident);
  EXPECT_TRUE(small.device->is_possible);
  EXPECT_GT(small.device->transfer_seconds, 0.5);
  EXPECT_FALSE(tiny.device->is_possible);
  EXPECT_EQ(tiny.limit, "device memory");
  EXPECT_GT(tiny.device->least, std::uint64_t{12} << 30);
  EXPECT_LT(tiny.device->least, std::uint64_t{16} << 30) << "as was seen";
  EXPECT_LE(small.device->working, std::uint64_t{24} << 30);
}

TEST(Plan, ADevicesTimesAreThoseMeasured) {
  // docs/performance-cuda.md: 2^27 in 568.6 ms with 2 copies, quotient 221.3 ms, rows 71.0 ms.
  const DevicePlan device = *on_device(140).device;
  EXPECT_NEAR(device.h_seconds, 0.5476, 1e-6);
  EXPECT_NEAR(device.quotient_seconds, 0.2213, 1e-6);
  EXPECT_NEAR(device.rows_seconds, 0.0164, 1e-6);
  EXPECT_NEAR(device.other_seconds, 0.13, 0.02);
  const double sum = device.h_seconds + device.quotient_seconds + device.rows_seconds + device.other_seconds;
  EXPECT_DOUBLE_EQ(device.partition_seconds, sum);
  EXPECT_DOUBLE_EQ(on_device(140).proof_seconds, 10 * sum);
}

TEST(Plan, WithADeviceTheSlowerOfItAndTheCoresBinds) {
  EXPECT_EQ(on_device(140).limit, "device");
  MachineRates slow;
  slow.row = 1e-6;
  const Plan starved = on_device(140, slow);
  EXPECT_EQ(starved.limit, "cores");
  EXPECT_DOUBLE_EQ(starved.proof_seconds, 10 * starved.witness_seconds);
  PlanMachine machine;
  machine.memory = 100 * kMiB;
  machine.device_memory = std::uint64_t{140} << 30;
  EXPECT_EQ(plan(mainnet(), machine, 0).limit, "memory");
  machine.memory = std::uint64_t{1} << 30;
  EXPECT_EQ(plan(mainnet(), machine, 0).limit, "device") << "the device has the working memory";
}

TEST(Plan, RatesAreMeasured) {
  const MachineRates rates = measure_rates(false);
  for (const double rate :
       {rates.transform, rates.g1_addition, rates.g2_addition, rates.g1_bit, rates.g2_bit, rates.row}) {
    EXPECT_GT(rate, 1e-10);
    EXPECT_LT(rate, 1e-2);
  }
  EXPECT_LT(rates.g1_bit, rates.g1_addition * math::msm_additions(1 << 17) / (1 << 17));
  EXPECT_GT(measure_rates(true).row, rates.row);
}

}  // namespace
}  // namespace proofline::engine
