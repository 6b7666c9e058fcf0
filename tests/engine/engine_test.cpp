#include "engine/engine.hpp"

#include "engine_fixture.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;
using filecoin::CircuitKind;
using testing::HasSubstr;
using testing::ThrowsMessage;

class EngineTest : public test::EngineFixture {};

TEST_F(EngineTest, AJobOfSeveralPartitionsIsProved) {
  Engine& engine = start();
  const Bytes values = {3, 0, 7, 12, 250};
  const JobStatus status = engine.await(engine.submit(request(values)));
  expect_proofs(status, values);
  EXPECT_EQ(status.partitions_done, 5U);
  std::vector<std::string> stages;
  for (const StageTime& stage : status.stages) stages.push_back(stage.name);
  EXPECT_THAT(stages, testing::IsSupersetOf({"witness", "quotient", "h", "b in G2", "verification"}));
  expect_idle_ledger();
}

TEST_F(EngineTest, ManyJobsAtOnceAllEnd) {
  Engine& engine = start();
  std::vector<std::pair<JobId, Bytes>> jobs;
  for (std::uint8_t i = 0; i < 30; ++i) {
    const Bytes values(1 + i % 4, i);
    jobs.emplace_back(engine.submit(request(values)), values);
  }
  for (const auto& [id, values] : jobs) expect_proofs(engine.await(id), values);
  EXPECT_EQ(engine.status().done, 30U);
  expect_idle_ledger();
}

TEST_F(EngineTest, UnsoundRequestsAreRefusedAtSubmission) {
  Engine& engine = start();
  EXPECT_THAT([&] { engine.submit(request({})); }, ThrowsMessage<InputError>(HasSubstr("c1: is empty")));
  EXPECT_THAT([&] { engine.submit(request({1, 255})); }, ThrowsMessage<InputError>(HasSubstr("255")));
  EXPECT_TRUE(journal_->unfinished().empty());
}

TEST_F(EngineTest, WhatIsWrongInAPartitionFailsTheJobAtOnce) {
  std::atomic<int> starts = 0;
  Engine& engine = start(told([&](std::stop_token) { ++starts; }));
  const JobStatus damaged = engine.await(engine.submit(request({254})));
  EXPECT_EQ(damaged.record.state, JobState::kFailed);
  EXPECT_THAT(damaged.record.error, HasSubstr("partition 0: vanilla proof of 254 is damaged"));
  EXPECT_EQ(starts, 0);
  const JobStatus unsatisfied = engine.await(engine.submit(request({1, 253})));
  EXPECT_EQ(unsatisfied.record.state, JobState::kFailed);
  EXPECT_THAT(unsatisfied.record.error, HasSubstr("partition 1"));
  EXPECT_LE(starts, 2);
  expect_idle_ledger();
}

TEST_F(EngineTest, ARequestIdJoinsRepeatsAndRefuses) {
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobId id = engine.submit(request({3}), {.request_id = "porep-1000-1"});
  EXPECT_EQ(engine.submit(request({3}), {.request_id = "porep-1000-1"}), id);
  EXPECT_THAT([&] { engine.submit(request({4}), {.request_id = "porep-1000-1"}); },
              ThrowsMessage<InputError>(HasSubstr("\"porep-1000-1\": belongs to another request")));
  gate.open();
  expect_proofs(engine.await(id), {3});
  EXPECT_EQ(engine.submit(request({3}), {.request_id = "porep-1000-1"}), id) << "the result is kept";
  const JobId failed = engine.submit(request({254}), {.request_id = "again"});
  EXPECT_EQ(engine.await(failed).record.state, JobState::kFailed);
  EXPECT_NE(engine.submit(request({254}), {.request_id = "again"}), failed) << "after failure it starts again";
}

TEST_F(EngineTest, JobsAreListedInTheOrderOfServiceAndTheirEndIsTold) {
  test::Gate gate;
  std::mutex mutex;
  std::vector<std::pair<std::string, JobState>> ended;
  EngineOptions options{.witness_workers = 1, .proofs_in_flight = 1};
  options.on_end = [&](const JobRecord& record) {
    const std::lock_guard lock(mutex);
    ended.emplace_back(record.request_id, record.state);
  };
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }), options);
  const JobId first = engine.submit(request({1, 2}), {.request_id = "first"});
  gate.wait_for_waiting(1);
  EXPECT_EQ(engine.status().devices[0].job, first);
  const JobId low = engine.submit(request({3}), {.request_id = "low", .priority = Priority::kLow});
  const JobId normal = engine.submit(request({4}), {.request_id = "normal"});
  const JobId high = engine.submit(request({5}), {.request_id = "high", .priority = Priority::kHigh});
  std::vector<std::string> order;
  for (const JobStatus& job : engine.jobs()) order.push_back(job.record.request_id);
  EXPECT_THAT(order, testing::ElementsAre("first", "high", "normal", "low"));
  const JobStatus running = engine.jobs().front();
  EXPECT_EQ(running.circuit_id, "cubic");
  EXPECT_EQ(running.partitions_total, 2U);
  EXPECT_EQ(running.partitions_done, 0U);
  EXPECT_EQ(engine.jobs().back().circuit_id, "") << "not admitted";
  engine.cancel(low);
  gate.open();
  for (const JobId id : {first, normal, high}) engine.await(id);
  EXPECT_TRUE(engine.jobs().empty());
  EXPECT_EQ(engine.status().cancelled, 1U);
  EXPECT_EQ(engine.status().failed, 0U);
  EXPECT_EQ(engine.status().devices[0].job, std::nullopt);
  const std::lock_guard lock(mutex);
  EXPECT_THAT(ended,
              testing::UnorderedElementsAre(std::pair("low", JobState::kCancelled), std::pair("first", JobState::kDone),
                                            std::pair("high", JobState::kDone), std::pair("normal", JobState::kDone)));
}

TEST_F(EngineTest, PartitionsAreSeenMovingThroughTheirStages) {
  test::Gate start_gate, finish_gate;
  Engine& engine = start(
      told([&](std::stop_token stop) { start_gate.wait(stop); }, [&](std::stop_token stop) { finish_gate.wait(stop); }),
      {.witness_workers = 2});
  const auto stages = [&] {
    const std::vector<JobStatus> jobs = engine.jobs();
    // Whose witness is made first is not said: the last stage first.
    std::vector<PartitionStage> out = jobs.empty() ? std::vector<PartitionStage>() : jobs.front().partitions;
    std::ranges::sort(out, std::greater<>());
    return out;
  };
  const auto become = [&](const std::vector<PartitionStage>& wanted) {
    for (int i = 0; i < 10'000 && stages() != wanted; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(stages(), wanted);
  };
  using enum PartitionStage;
  const JobId id = engine.submit(request({1, 2, 3, 4}), {.request_id = "moving"});
  become({kDevice, kWaiting, kWaiting, kQueued});
  const std::vector<JobStatus> jobs = engine.jobs();
  EXPECT_EQ(jobs.front().circuit_id, "cubic");
  EXPECT_THAT(jobs.front().stages, testing::Contains(testing::Field(&StageTime::name, "witness")));
  EXPECT_TRUE(engine.recent(10).empty());
  start_gate.open();
  // One finishes, one waits for that, one for the place of the one that waits.
  become({kFinish, kFinish, kDevice, kWaiting});
  finish_gate.open();
  expect_proofs(engine.await(id), {1, 2, 3, 4});
  EXPECT_TRUE(engine.jobs().empty());

  engine.await(engine.submit(request({254}), {.request_id = "bad"}));
  const std::vector<JobStatus> recent = engine.recent(10);
  ASSERT_EQ(recent.size(), 2U);
  EXPECT_EQ(recent[0].record.request_id, "bad") << "newest first";
  EXPECT_EQ(recent[0].record.state, JobState::kFailed);
  EXPECT_EQ(recent[1].record.request_id, "moving");
  EXPECT_EQ(recent[1].circuit_id, "cubic");
  EXPECT_EQ(recent[1].partitions_done, 4U);
  EXPECT_TRUE(recent[1].record.partitions.empty()) << "nobody needs the proofs here";
  EXPECT_EQ(engine.recent(1).size(), 1U);

  const std::vector<StageTotal> totals = engine.status().stages;
  const auto witness = std::ranges::find(totals, "witness", &StageTotal::name);
  ASSERT_NE(witness, totals.end());
  EXPECT_EQ(witness->count, 4U);
  EXPECT_GT(witness->seconds, 0);
}

TEST_F(EngineTest, APartitionIsSeenInItsSecondAttempt) {
  test::Gate gate;
  std::atomic<int> starts = 0;
  Engine& engine = start(told([&](std::stop_token stop) {
    if (++starts == 1) throw Error("a device's whim");
    gate.wait(stop);
  }));
  const JobId id = engine.submit(request({1}));
  gate.wait_for_waiting(1);
  EXPECT_EQ(starts, 2);
  EXPECT_EQ(engine.jobs().front().partitions, std::vector{PartitionStage::kDevice});
  gate.open();
  expect_proofs(engine.await(id), {1});
}

TEST_F(EngineTest, ACancelledJobStopsAndGivesItsMemoryBack) {
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobId in_start = engine.submit(request({1, 2, 3}));
  gate.wait_for_waiting(1);
  const JobId queued = engine.submit(request({4}));
  EXPECT_TRUE(engine.cancel(queued));
  EXPECT_TRUE(engine.cancel(in_start));
  EXPECT_FALSE(engine.cancel(in_start));
  EXPECT_EQ(engine.await(in_start).record.state, JobState::kCancelled);
  EXPECT_EQ(engine.await(queued).record.state, JobState::kCancelled);
  expect_idle_ledger();
  gate.open();
  expect_proofs(engine.await(engine.submit(request({5}))), {5});
}

TEST_F(EngineTest, AJobEndsAtItsDeadline) {
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobStatus status = engine.await(engine.submit(request({1}), {.timeout = 30ms}));
  EXPECT_EQ(status.record.state, JobState::kTimedOut);
  expect_idle_ledger();
}

TEST_F(EngineTest, AwaitReturnsAtItsTimeout) {
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }));
  const JobId id = engine.submit(request({1}));
  EXPECT_FALSE(is_final(engine.await(id, 10ms).record.state));
  gate.open();
  EXPECT_EQ(engine.await(id).record.state, JobState::kDone);
  EXPECT_THROW(engine.await(id + 1), InputError);
}

TEST_F(EngineTest, NoMorePartitionsWaitThanThereAreWorkers) {
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }), {.witness_workers = 3});
  std::vector<JobId> jobs;
  for (std::uint8_t i = 0; i < 10; ++i) jobs.push_back(engine.submit(request(Bytes(4, i))));
  gate.wait_for_waiting(1);
  while (engine.status().partitions_waiting < 3) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(engine.status().partitions_waiting, 3U);
  gate.open();
  for (const JobId id : jobs) EXPECT_EQ(engine.await(id).record.state, JobState::kDone);
  EXPECT_LE(engine.status().partitions_waiting_peak, 3U);
}

TEST_F(EngineTest, ACriticalJobPassesTheQueue) {
  set_budget(std::uint64_t{32} << 20);
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }),
                         {.witness_workers = 2, .critical_circuits = {"cubic"}});
  std::vector<JobId> jobs;
  for (std::uint8_t i = 0; i < 6; ++i) jobs.push_back(engine.submit(request(Bytes(3, i))));
  gate.wait_for_waiting(1);
  while (engine.status().partitions_waiting < 2) std::this_thread::yield();
  const JobId winning = engine.submit(request({9}, CircuitKind::kWinningPost));
  while (engine.status().partitions_waiting < 3) std::this_thread::yield();
  gate.open();
  const JobStatus status = engine.await(winning);
  expect_proofs(status, {9});
  std::size_t ended_before = 0;
  for (const JobId id : jobs) {
    const JobStatus other = engine.await(id);
    if (other.record.finished < status.record.finished) ++ended_before;
  }
  EXPECT_EQ(ended_before, 0U) << "the first job had three partitions, of which one was in progress";
}

TEST_F(EngineTest, ACriticalJobNeedsNoMemoryButWhatIsKeptForIt) {
  set_budget(std::uint64_t{32} << 20);
  Engine& engine = start(cpu(), {.critical_circuits = {"cubic"}});
  const std::uint64_t kept = ledger_->state(Pool::host()).reserved;
  const auto all =
      ledger_->reserve({Pool::host(), MemoryClass::kWitness, (std::uint64_t{32} << 20) - kept, Priority::kNormal});
  for (const std::uint8_t value : Bytes{7, 8}) {
    expect_proofs(engine.await(engine.submit(request({value}, CircuitKind::kWinningPost))), {value});
  }
  EXPECT_EQ(engine.status().devices[0].partitions, 2U);
  EXPECT_EQ(ledger_->state(Pool::host()).waiting, 0U);
}

/// Reserves 20 MiB for each kit and keeps it.
class LargeKits : public KitSource {
 public:
  LargeKits(MemoryLedger& ledger, KitSource& kits) : ledger_(ledger), kits_(kits) {}
  std::optional<ProvingKit> acquire(const std::string&, Priority priority, std::stop_token stop) override {
    auto memory = ledger_.reserve({Pool::host(), MemoryClass::kCircuit, std::uint64_t{20} << 20, priority}, stop);
    if (!memory) return std::nullopt;
    kept_.push_back(std::move(*memory));
    return kits_.acquire("cubic", priority, stop);
  }

 private:
  MemoryLedger& ledger_;
  KitSource& kits_;
  std::vector<Reservation> kept_;
};

TEST_F(EngineTest, CircuitsThatDoNotFitTogetherCannotBeKept) {
  set_budget(std::uint64_t{32} << 20);
  LargeKits large(*ledger_, kits());
  const auto start_with = [&](std::vector<std::string> circuits) {
    std::vector<std::unique_ptr<device::Backend>> backends;
    backends.push_back(cpu());
    Engine({*ledger_, recorder_, *journal_, large, make_task, std::move(backends), exec_},
           {.critical_circuits = std::move(circuits)});
  };
  try {
    start_with({"one", "another"});
    ADD_FAILURE() << "they do not fit";
  } catch (const ImpossibleReservation& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("up to another, needs more than the 32 MiB"));
  }
}

TEST_F(EngineTest, WhatIsKeptForCriticalJobsComesBackFromThem) {
  set_budget(std::uint64_t{32} << 20);
  test::Gate gate;
  Engine& engine = start(told([&](std::stop_token stop) { gate.wait(stop); }), {.critical_circuits = {"cubic"}});
  const std::uint64_t kept = ledger_->state(Pool::host()).reserved;
  const JobId cancelled = engine.submit(request({9, 8}, CircuitKind::kWinningPost));
  gate.wait_for_waiting(1);
  EXPECT_TRUE(engine.cancel(cancelled));
  expect_idle_ledger(kept);
  gate.open();
  expect_proofs(engine.await(engine.submit(request({9, 8}, CircuitKind::kWinningPost))), {9, 8});
  expect_idle_ledger(kept);
}

TEST_F(EngineTest, TheOldestJobGoesFirstWithinAPriority) {
  Engine& engine = start(cpu(), {.witness_workers = 1});
  std::vector<JobId> jobs;
  for (std::uint8_t i = 0; i < 8; ++i) jobs.push_back(engine.submit(request(Bytes(2, i))));
  WallClock::time_point last{};
  for (const JobId id : jobs) {
    const WallClock::time_point finished = engine.await(id).record.finished;
    EXPECT_GE(finished, last);
    last = finished;
  }
}

TEST_F(EngineTest, ABudgetForOnePartitionIsEnoughAndOneByteLessSaysSo) {
  set_budget(kBudget);
  start();
  expect_proofs(engine_->await(engine_->submit(request({1, 2, 3}))), {1, 2, 3});
  engine_.reset();
  // The smallest budget that works, by bisection.
  std::uint64_t too_small = 0, enough = kBudget;
  std::string error;
  while (enough - too_small > 1) {
    const std::uint64_t budget = (too_small + enough) / 2;
    set_budget(budget);
    start();
    const JobStatus status = engine_->await(engine_->submit(request({1, 2, 3, 4})));
    engine_.reset();
    if (status.record.state == JobState::kDone) {
      enough = budget;
      EXPECT_LE(ledger_->state(Pool::host()).peak, budget);
    } else {
      too_small = budget;
      error = status.record.error;
    }
  }
  EXPECT_GT(enough, 11'000U) << "the backend's needs";
  EXPECT_THAT(error, HasSubstr("raise the budget by at least 1 MiB"));
}

TEST_F(EngineTest, DrainEndsWhatIsAdmittedAndTakesNoMore) {
  Engine& engine = start();
  const JobId id = engine.submit(request({1, 2}));
  while (engine.status(id).partitions_total == 0) std::this_thread::yield();
  EXPECT_TRUE(engine.drain(10s));
  EXPECT_EQ(engine.status(id).record.state, JobState::kDone);
  EXPECT_THROW(engine.submit(request({1})), Error);
}

TEST_F(EngineTest, DevicesCanBeKeptForKinds) {
  std::atomic<int> on_first = 0, on_second = 0;
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(told([&](std::stop_token) { ++on_first; }, {}, "first"));
  backends.push_back(told([&](std::stop_token) { ++on_second; }, {}, "second"));
  Engine& engine = start(std::move(backends), {.devices_for_kinds = {{"second", {CircuitKind::kWinningPost}}}});
  for (std::uint8_t i = 0; i < 5; ++i) expect_proofs(engine.await(engine.submit(request({i}))), {i});
  EXPECT_EQ(on_first, 5);
  EXPECT_EQ(on_second, 0);
  engine_.reset();
  EXPECT_THAT(
      [&] {
        start(cpu(), {.devices_for_kinds = {{"gpu", {}}}});
      },
      ThrowsMessage<InputError>(HasSubstr("no device \"gpu\"")));
}

}  // namespace
}  // namespace proofline::engine
