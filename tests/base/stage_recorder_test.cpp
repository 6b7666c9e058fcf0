#include "base/stage_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>

namespace proofline {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

/// Makes `bytes` resident and gives them back. Straight from the kernel: an allocator might keep them.
void touch(std::size_t bytes) {
  void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  ::munmap(block, bytes);
}

TEST(StageRecorder, NamesAndTimesStagesInOrder) {
  StageRecorder recorder;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  recorder.done("wait");
  recorder.done("nothing");
  ASSERT_EQ(recorder.stages().size(), 2U);
  EXPECT_EQ(recorder.stages()[0].name, "wait");
  EXPECT_GE(recorder.stages()[0].seconds, 0.03);
  EXPECT_LT(recorder.stages()[1].seconds, recorder.stages()[0].seconds);
  EXPECT_DOUBLE_EQ(recorder.total_seconds(), recorder.stages()[0].seconds + recorder.stages()[1].seconds);
}

TEST(StageRecorder, SkippedTimeBelongsToNoStage) {
  StageRecorder recorder;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  recorder.skip();
  recorder.done("after");
  EXPECT_LT(recorder.total_seconds(), 0.03);
}

TEST(StageRecorder, PeaksBelongToTheirStages) {
  StageRecorder recorder;
  touch(64 * kMiB);
  recorder.done("large");
  recorder.done("small");
  ASSERT_GT(recorder.stages()[0].peak_rss, 64 * kMiB);
  EXPECT_EQ(recorder.peak_rss(), recorder.stages()[0].peak_rss);
  if (!recorder.separate_peaks()) GTEST_SKIP() << "this kernel does not let a process reset its peak";
  EXPECT_LT(recorder.stages()[1].peak_rss, recorder.stages()[0].peak_rss - 32 * kMiB);
}

}  // namespace
}  // namespace proofline
