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
