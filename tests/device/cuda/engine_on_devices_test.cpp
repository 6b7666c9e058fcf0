// The engine with real devices: several at once, one without memory, one that is lost.
#include "device/cuda/device.hpp"
#include "device/gpu.hpp"
#include "engine/engine_fixture.hpp"

namespace proofline::test {

/// Makes every later CUDA call of the process fail, as when a device is lost.
void lose_the_device();

namespace {

class EngineOnDevices : public EngineFixture {
 protected:
  void SetUp() override {
    PROOFLINE_NEEDS_DEVICE();
    set_budget(std::uint64_t{1} << 30);
  }
  std::unique_ptr<device::Backend> gpu(std::uint64_t memory = 0) {
    return device::make_gpu_backend({.index = 0, .memory = memory}, exec_);
  }
  engine::Engine& start_with_fallback(std::unique_ptr<device::Backend> usual) {
    std::vector<std::unique_ptr<device::Backend>> backends;
    backends.push_back(std::move(usual));
    engine_ = std::make_unique<engine::Engine>(
        engine::EngineParts{*ledger_, recorder_, *journal_, kits(), make_task, std::move(backends), exec_, cpu()},
        engine::EngineOptions{});
    return *engine_;
  }
  void expect_the_fallback_to_prove(engine::Engine& engine) {
    expect_proofs(engine.await(engine.submit(request({3, 4}))), {3, 4});
    const auto devices = engine.status().devices;
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[0].partitions, 0U);
    EXPECT_EQ(devices[0].failures, 4U);
    EXPECT_EQ(devices[1].partitions, 2U);
  }
};

TEST_F(EngineOnDevices, TwoShareTheWork) {
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(gpu());
  backends.push_back(gpu());
  engine::Engine& engine = start(std::move(backends), {.witness_workers = 4});
  std::vector<JobId> jobs;
  for (std::uint8_t i = 0; i < 30; ++i) jobs.push_back(engine.submit(request({i, static_cast<std::uint8_t>(i + 100)})));
  for (std::uint8_t i = 0; i < 30; ++i) expect_proofs(engine.await(jobs[i]), {i, static_cast<std::uint8_t>(i + 100)});
  const auto devices = engine.status().devices;
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_GT(devices[0].partitions, 0U);
  EXPECT_GT(devices[1].partitions, 0U);
  EXPECT_EQ(devices[0].partitions + devices[1].partitions, 60U);
  EXPECT_EQ(devices[0].failures + devices[1].failures, 0U);
}

TEST_F(EngineOnDevices, OneWithoutMemoryLeavesAllToTheFallback) {
  expect_the_fallback_to_prove(start_with_fallback(gpu(1000)));
}

TEST_F(EngineOnDevices, OneThatIsLostLeavesAllToTheFallback) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [this] {
    engine::Engine& engine = start_with_fallback(gpu());
    expect_proofs(engine.await(engine.submit(request({5}))), {5});
    EXPECT_EQ(engine.status().devices[0].partitions, 1U);
    lose_the_device();
    expect_proofs(engine.await(engine.submit(request({3, 4}))), {3, 4});
    EXPECT_EQ(engine.status().devices[0].failures, 4U);
    EXPECT_EQ(engine.status().devices[1].partitions, 2U);
    engine_.reset();
    std::exit(HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace proofline::test
