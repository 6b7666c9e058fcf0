#include <gtest/gtest.h>

#include "engine_fixture.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;

class EngineStress : public test::EngineFixture {
 protected:
  /// 40 proofs of 1 to 5 partitions; the ledger's peak.
  std::uint64_t prove_forty(unsigned workers, std::uint64_t budget) {
    set_budget(budget);
    Engine& engine = start(cpu(), {.witness_workers = workers});
    std::vector<std::pair<JobId, Bytes>> jobs;
    for (std::uint8_t i = 0; i < 40; ++i) {
      const Bytes values(1 + i % 5, i);
      jobs.emplace_back(engine.submit(request(values)), values);
    }
    for (const auto& [id, values] : jobs) expect_proofs(engine.await(id), values);
    EXPECT_LE(engine.status().partitions_waiting_peak, workers);
    expect_idle_ledger();
    engine_.reset();
    return ledger_->state(Pool::host()).peak;
  }

  /// The backend's 11,000 bytes, a partition's 1000 of input and its witness, and a byte for each partition's value.
  static constexpr std::uint64_t kSmallest = 11'000 + 1000 + 600;
};

TEST_F(EngineStress, AnyNumberOfWorkersWithinAnyBudget) {
  for (const std::uint64_t budget : {kSmallest, kSmallest + 4000, std::uint64_t{1} << 20}) {
    for (const unsigned workers : {1U, 4U, 32U}) {
      SCOPED_TRACE(testing::Message() << workers << " workers, " << budget << " bytes");
      EXPECT_LE(prove_forty(workers, budget), budget);
    }
  }
}

TEST_F(EngineStress, TwoThatAreAdmittedAtOnceDoNotWaitForEachOther) {
  const std::uint64_t budget = kSmallest + 4000;
  set_budget(budget);
  Engine& engine = start();
  auto all = ledger_->reserve({Pool::host(), MemoryClass::kWitness, budget, Priority::kNormal});
  const JobId normal = engine.submit(request({1}));
  while (ledger_->state(Pool::host()).waiting == 0) std::this_thread::yield();
  const JobId critical = engine.submit(request({2}, filecoin::CircuitKind::kWinningPost));
  std::this_thread::sleep_for(50ms);
  all->release();
  expect_proofs(engine.await(critical), {2});
  expect_proofs(engine.await(normal), {1});
}

TEST_F(EngineStress, WhatNeverFitsBesideTheWorkingSetFailsAtOnce) {
  set_budget(kSmallest + 4000);
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobId running = engine.submit(request({1}));
  gate.wait_for_waiting(1);
  const JobStatus status = engine.await(engine.submit(request(Bytes(6000, 2))));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, testing::HasSubstr("raise the budget by at least 1 MiB"));
  gate.open();
  expect_proofs(engine.await(running), {1});
}

TEST_F(EngineStress, PrioritiesCancellationsAndFailuresTogether) {
  set_budget(kSmallest + 4000);
  Engine& engine = start(cpu(), {.witness_workers = 6});
  constexpr std::array kKinds = {filecoin::CircuitKind::kPorep, filecoin::CircuitKind::kWinningPost,
                                 filecoin::CircuitKind::kWindowPost, filecoin::CircuitKind::kUpdate};
  std::vector<JobId> ids;
  std::mutex mutex;
  {
    std::vector<std::jthread> clients;
    for (unsigned client = 0; client < 4; ++client) {
      clients.emplace_back([&, client] {
        for (std::uint8_t i = 0; i < 25; ++i) {
          const std::uint8_t value = i % 7 == 3 ? 254 : i;
          const JobId id = engine.submit(request(Bytes(1 + (i + client) % 3, value), kKinds[client]));
          if (i % 9 == 4) engine.cancel(id);
          const std::lock_guard lock(mutex);
          ids.push_back(id);
        }
      });
    }
  }
  for (const JobId id : ids) EXPECT_TRUE(is_final(engine.await(id).record.state));
  const EngineStatus status = engine.status();
  EXPECT_EQ(status.done + status.failed + status.cancelled, 100U);
  EXPECT_TRUE(status.running.empty());
  EXPECT_TRUE(status.queued.empty());
  expect_idle_ledger();
}

}  // namespace
}  // namespace proofline::engine
