#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "engine_fixture.hpp"
#include "support/instrumented.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class EngineFault : public test::EngineFixture {};

/// Fails as often as said, then no more.
test::ToldBackend::Told failing(std::shared_ptr<std::atomic<int>> times) {
  return [times](std::stop_token) {
    if (times->fetch_sub(1) > 0) throw Error("out of device memory");
  };
}

TEST_F(EngineFault, AFailureIsTriedOnceMore) {
  Engine& engine = start(told(failing(std::make_shared<std::atomic<int>>(1))));
  expect_proofs(engine.await(engine.submit(request({3, 4}))), {3, 4});
  EXPECT_EQ(engine.status().devices[0].failures, 1U);
  expect_idle_ledger();
}

TEST_F(EngineFault, ASecondFailureEndsTheJobWithTheReason) {
  Engine& engine = start(told({}, failing(std::make_shared<std::atomic<int>>(2))));
  const JobStatus status = engine.await(engine.submit(request({3})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("partition 0: out of device memory (the second failure)"));
  expect_idle_ledger();
}

TEST_F(EngineFault, TheSecondTryIsOnAnotherDevice) {
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(told(failing(std::make_shared<std::atomic<int>>(1000)), {}, "broken"));
  backends.push_back(told({}, {}, "whole"));
  Engine& engine = start(std::move(backends));
  for (std::uint8_t i = 0; i < 10; ++i) expect_proofs(engine.await(engine.submit(request({i, i}))), {i, i});
}

TEST_F(EngineFault, AStepThatHangsIsStoppedAndTriedAgain) {
  test::Gate gate;
  auto hangs = std::make_shared<std::atomic<int>>(1);
  Engine& engine = start(told([&, hangs](std::stop_token stop) {
                           if (hangs->fetch_sub(1) > 0) gate.wait(stop);
                         }),
                         {.step_timeout = 300ms});
  expect_proofs(engine.await(engine.submit(request({3}))), {3});
  hangs->store(2);
  const JobStatus status = engine.await(engine.submit(request({4})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("start took longer than the limit of 300 ms"));
  expect_idle_ledger();
}

TEST_F(EngineFault, ADeviceThatDoesNotStopIsLostAndTheJobGoesElsewhere) {
  std::atomic<bool> hang = true;
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(told(
      [&](std::stop_token) {
        while (hang) std::this_thread::sleep_for(1ms);
      },
      {}, "stuck"));
  Engine& engine = start(std::move(backends), {.step_timeout = test::patience(300ms)});
  const JobStatus status = engine.await(engine.submit(request({3})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("stuck hangs in start"));
  EXPECT_TRUE(engine.status().devices[0].lost);
  hang = false;
  expect_proofs(engine.await(engine.submit(request({5}))), {5});
  EXPECT_FALSE(engine.status().devices[0].lost);
  expect_idle_ledger();
}

/// Gives the proof of another statement now and then.
class LyingBackend : public test::ToldBackend {
 public:
  using ToldBackend::ToldBackend;
  std::unique_ptr<device::Pending> start(device::PartitionWork work, std::stop_token stop,
                                         groth16::StageObserver* observer) override {
    return std::make_unique<Half>(ToldBackend::start(std::move(work), stop, observer), lies--);
  }
  std::atomic<int> lies = 1;

 private:
  class Half : public device::Pending {
   public:
    Half(std::unique_ptr<device::Pending> half, int lies) : half_(std::move(half)), lies_(lies) {}
    groth16::Proof finish(std::stop_token stop, groth16::StageObserver* observer) override {
      groth16::Proof proof = half_->finish(stop, observer);
      if (lies_ > 0) proof.c = proof.a;
      return proof;
    }

   private:
    std::unique_ptr<device::Pending> half_;
    int lies_;
  };
};

TEST_F(EngineFault, AWrongProofNeverLeaves) {
  auto lying = std::make_unique<LyingBackend>("lying", exec_, nullptr);
  LyingBackend& backend = *lying;
  Engine& engine = start(std::move(lying));
  expect_proofs(engine.await(engine.submit(request({3}))), {3});
  EXPECT_EQ(engine.status().devices[0].failures, 1U);
  backend.lies = 2;
  const JobStatus status = engine.await(engine.submit(request({4})));
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr("lying made a proof that does not verify"));
}

TEST_F(EngineFault, AJournalThatCannotBeWrittenFailsTheJobWithTheReason) {
  const auto file = folder_ / "journal";
  journal_ = std::make_unique<Journal>(file);
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobId id = engine.submit(request({3}));
  gate.wait_for_waiting(1);
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto on_excess = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{1, usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  gate.open();
  const JobStatus status = engine.await(id);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  std::signal(SIGXFSZ, on_excess);
  EXPECT_EQ(status.record.state, JobState::kFailed);
  EXPECT_THAT(status.record.error, HasSubstr(file.string()));
  expect_idle_ledger();
  engine_.reset();
  EXPECT_EQ(journal_->unfinished().size(), 1U) << "the next start takes it up again";
  expect_proofs(start(cpu()).await(id), {3});
}

TEST_F(EngineFault, RandomFaultsLoseNothing) {
  std::mutex mutex;
  std::mt19937 random(7);
  const auto chance = [&](unsigned one_in) {
    const std::lock_guard lock(mutex);
    return random() % one_in == 0;
  };
  const auto misbehave = [&](std::stop_token stop) {
    if (chance(5)) throw Error("launch failed");
    if (chance(10)) {
      while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
      throw device::Cancelled("stopped");
    }
  };
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(told(misbehave, misbehave, "one"));
  backends.push_back(told(misbehave, misbehave, "two"));
  // A whole machine may stand still for longer than a step takes; that only adds failures.
  Engine& engine = start(std::move(backends), {.witness_workers = 4, .step_timeout = 200ms});
  std::vector<std::pair<JobId, Bytes>> jobs;
  for (std::uint8_t i = 0; i < 60; ++i) {
    const Bytes values(1 + i % 3, i);
    jobs.emplace_back(engine.submit(request(values)), values);
    if (chance(8)) engine.cancel(jobs[jobs.size() / 2].first);
  }
  std::size_t done = 0;
  for (const auto& [id, values] : jobs) {
    const JobStatus status = engine.await(id);
    if (status.record.state == JobState::kDone) {
      expect_proofs(status, values);
      ++done;
    } else if (status.record.state == JobState::kFailed) {
      EXPECT_THAT(status.record.error, HasSubstr("(the second failure)"));
    } else {
      EXPECT_EQ(status.record.state, JobState::kCancelled);
    }
  }
  EXPECT_GT(done, 20U);
  expect_idle_ledger();
}

}  // namespace
}  // namespace proofline::engine
