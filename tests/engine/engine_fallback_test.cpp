#include <gtest/gtest.h>

#include "engine_fixture.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Needs as much working memory as said.
class LargeBackend : public test::ToldBackend {
 public:
  LargeBackend(const Executor& exec, std::uint64_t bytes, Told on_start = {})
      : ToldBackend("fallback", exec, std::move(on_start)), bytes_(bytes) {}
  device::PartitionNeeds needs(const r1cs::StructuredR1cs&) const override {
    device::PartitionNeeds out;
    out.evaluation.host = bytes_;
    return out;
  }

 private:
  std::uint64_t bytes_;
};

class EngineFallback : public test::EngineFixture {
 protected:
  Engine& start_with(std::unique_ptr<device::Backend> usual, std::unique_ptr<device::Backend> fallback,
                     EngineOptions options = {}) {
    std::vector<std::unique_ptr<device::Backend>> backends;
    backends.push_back(std::move(usual));
    engine_ = std::make_unique<Engine>(
        EngineParts{*ledger_, recorder_, *journal_, kits(), make_task, std::move(backends), exec_, std::move(fallback)},
        std::move(options));
    return *engine_;
  }
  std::unique_ptr<device::Backend> broken() {
    return told([](std::stop_token) { throw Error("the driver is gone"); });
  }
  std::unique_ptr<device::Backend> fallback(std::uint64_t bytes, test::ToldBackend::Told on_start = {}) {
    return std::make_unique<LargeBackend>(exec_, bytes, std::move(on_start));
  }
};

TEST_F(EngineFallback, MakesWhatFailedTwice) {
  // Memory for one partition at a time is enough.
  Engine& engine = start_with(broken(), fallback(kBudget * 3 / 4));
  expect_proofs(engine.await(engine.submit(request({3, 4, 5}))), {3, 4, 5});
  const auto devices = engine.status().devices;
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].failures, 6U);
  EXPECT_FALSE(devices[0].is_fallback);
  EXPECT_EQ(devices[1].partitions, 3U);
  EXPECT_TRUE(devices[1].is_fallback);
  expect_idle_ledger();
}

TEST_F(EngineFallback, TakesNoMemoryAndNoWorkWhileTheDevicesWork) {
  Engine& engine = start_with(cpu(), fallback(kBudget));
  std::vector<JobId> jobs;
  for (std::uint8_t i = 0; i < 20; ++i) jobs.push_back(engine.submit(request({i, i})));
  for (std::uint8_t i = 0; i < 20; ++i) expect_proofs(engine.await(jobs[i]), {i, i});
  EXPECT_EQ(engine.status().devices[1].partitions, 0U);
  EXPECT_LT(ledger_->state(Pool::host()).peak, kBudget);
  expect_idle_ledger();
}

TEST_F(EngineFallback, ItsOwnFailureEndsTheJob) {
  Engine& engine = start_with(broken(), fallback(1000, [](std::stop_token) { throw Error("no more threads"); }));
  const JobStatus status = engine.await(engine.submit(request({3})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("no more threads (no other device is left)"));
  expect_idle_ledger();
}

TEST_F(EngineFallback, WithoutMemoryForItTheJobFailsAndSaysHowMuchItTakes) {
  Engine& engine = start_with(broken(), fallback(2 * kBudget));
  const JobStatus status = engine.await(engine.submit(request({3})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("(the second failure; fallback would need 2 MiB more of memory)"));
  expect_idle_ledger();
}

TEST_F(EngineFallback, TakesAllWhileTheDeviceHangsAndHasTime) {
  std::atomic<bool> hang = true;
  auto usual = told([&](std::stop_token) {
    while (hang) std::this_thread::sleep_for(1ms);
  });
  Engine& engine =
      start_with(std::move(usual), fallback(kBudget / 2, [](std::stop_token) { std::this_thread::sleep_for(250ms); }),
                 {.witness_workers = 3, .step_timeout = 100ms});
  expect_proofs(engine.await(engine.submit(request({3, 4, 5, 6}))), {3, 4, 5, 6});
  EXPECT_TRUE(engine.status().devices[0].lost);
  EXPECT_EQ(engine.status().devices[1].partitions, 4U);
  hang = false;
  expect_proofs(engine.await(engine.submit(request({5}))), {5});
  expect_idle_ledger();
}

TEST_F(EngineFallback, GivesItsMemoryBackWhenTheJobIsCancelled) {
  test::Gate gate;
  Engine& engine = start_with(broken(), fallback(kBudget / 2, [&](std::stop_token stop) { gate.wait(stop); }));
  const JobId id = engine.submit(request({3, 4}));
  gate.wait_for_waiting(1);
  EXPECT_GE(ledger_->state(Pool::host()).reserved, kBudget / 2);
  EXPECT_TRUE(engine.cancel(id));
  expect_idle_ledger();
}

}  // namespace
}  // namespace proofline::engine
