#include "engine/event_recorder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

namespace proofline::engine {
namespace {

using std::chrono::milliseconds;

TEST(EventRecorder, KeepsTheLastEventsAndCountsTheForgotten) {
  EventRecorder recorder(3);
  for (std::uint64_t i = 0; i < 5; ++i) recorder.counter("queue", i);
  const auto contents = recorder.contents();
  EXPECT_EQ(contents.forgotten, 2U);
  ASSERT_EQ(contents.events.size(), 3U);
  EXPECT_EQ(contents.events.front().value, 2U);
  EXPECT_EQ(contents.events.back().value, 4U);
}

TEST(EventRecorder, TakesEventsFromManyThreads) {
  EventRecorder recorder(10'000);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) const RecordedSpan span(&recorder, "worker", "step", "job");
      });
  }
  const auto contents = recorder.contents();
  EXPECT_EQ(contents.events.size(), 4000U);
  for (const Event& event : contents.events) EXPECT_LE(event.begin, event.end);
  const RecordedSpan nowhere(nullptr, "worker", "step", "job");
}

TEST(EventRecorder, BusyShareCountsOverlapsOnceAndNothingOutside) {
  EventRecorder recorder(10);
  const Clock::time_point start = recorder.contents().start;
  const auto at = [&](int ms) { return start + milliseconds(ms); };
  recorder.span("device 0", "start", "a", at(0), at(20));
  recorder.span("device 0", "start", "b", at(10), at(30));
  recorder.span("device 0", "start", "c", at(12), at(15));
  recorder.span("device 0", "start", "d", at(90), at(150));
  recorder.span("device 0", "finish", "a", at(30), at(90));
  recorder.span("device 1", "start", "e", at(0), at(100));
  const auto contents = recorder.contents();
  EXPECT_DOUBLE_EQ(busy_share(contents, "device 0", "start", at(0), at(100)), 0.4);
  EXPECT_DOUBLE_EQ(busy_share(contents, "device 1", "start", at(0), at(100)), 1.0);
  EXPECT_DOUBLE_EQ(busy_share(contents, "device 0", "start", at(40), at(80)), 0.0);
  EXPECT_DOUBLE_EQ(busy_share(contents, "device 0", "start", at(5), at(5)), 0.0);
}

TEST(EventRecorder, TheTraceHasARowATrackAndAGraphACounter) {
  const test::TempFolder folder;
  EventRecorder recorder(10);
  const Clock::time_point start = recorder.contents().start;
  recorder.span("device 0", "start", "job 1, partition 0", start + milliseconds(2), start + milliseconds(5));
  recorder.span("worker \"1\"", "witness", "job 1, partition 1", start, start + milliseconds(1));
  recorder.span("device 0", "start", "job 1, partition 1", start + milliseconds(5), start + milliseconds(9));
  recorder.counter("host bytes", std::uint64_t{1} << 40, start + milliseconds(3));
  write_chrome_trace(recorder.contents(), folder / "trace.json");

  std::ifstream in(folder / "trace.json");
  const auto trace = nlohmann::json::parse(in);
  int rows = 0, spans = 0;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M") ++rows;
    if (event.at("ph") == "X") ++spans;
    if (event.at("ph") == "C") {
      EXPECT_EQ(event.at("args").at("value"), std::uint64_t{1} << 40);
      EXPECT_DOUBLE_EQ(event.at("ts"), 3000);
    }
  }
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(spans, 3);
  const auto& first = trace.at("traceEvents").at(1);
  EXPECT_EQ(first.at("args").at("subject"), "job 1, partition 0");
  EXPECT_DOUBLE_EQ(first.at("ts"), 2000);
  EXPECT_DOUBLE_EQ(first.at("dur"), 3000);
  EXPECT_THROW(write_chrome_trace(recorder.contents(), folder / "missing" / "trace.json"), IoError);
}

}  // namespace
}  // namespace proofline::engine
