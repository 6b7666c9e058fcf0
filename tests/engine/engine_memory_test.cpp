#include <gtest/gtest.h>

#include "base/resident_memory.hpp"
#include "engine_fixture.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;

class EngineMemory : public test::EngineFixture {
 protected:
  /// 100 jobs of mixed kinds, of which some fail and some are cancelled.
  void prove_hundred(Engine& engine) {
    constexpr std::array kKinds = {filecoin::CircuitKind::kPorep, filecoin::CircuitKind::kWinningPost,
                                   filecoin::CircuitKind::kWindowPost, filecoin::CircuitKind::kUpdate};
    std::vector<JobId> ids;
    for (std::uint8_t i = 0; i < 100; ++i) {
      const std::uint8_t value = i % 10 == 3 ? 254 : i;
      ids.push_back(engine.submit(request(Bytes(1 + i % 3, value), kKinds[i % kKinds.size()])));
      if (i % 10 == 7) engine.cancel(ids.back());
    }
    for (const JobId id : ids) ASSERT_TRUE(is_final(engine.await(id).record.state));
    ASSERT_NO_FATAL_FAILURE(expect_idle_ledger());
  }
};

TEST_F(EngineMemory, StaysFlatOverManyProofs) {
  Engine& engine = start(cpu(), {.witness_workers = 4});
  // The ring of events and the list of recent jobs fill first.
  for (int i = 0; i < 3; ++i) prove_hundred(engine);
  const std::uint64_t before = resident_memory().total;
  for (int i = 0; i < 3; ++i) prove_hundred(engine);
  const std::uint64_t after = resident_memory().total;
  // 300 proofs that each left 10 KiB behind would be 3 MiB. The journal in memory keeps some 2 KiB a job.
  EXPECT_LT(after, before + (std::uint64_t{2} << 20)) << "before " << before;
}

}  // namespace
}  // namespace proofline::engine
