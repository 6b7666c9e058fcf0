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
  EXPECT_EQ(status.done + status.failed, 100U);
  EXPECT_TRUE(status.running.empty());
  EXPECT_TRUE(status.queued.empty());
  expect_idle_ledger();
}

}  // namespace
}  // namespace proofline::engine
