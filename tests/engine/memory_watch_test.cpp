#include "engine/memory_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/large_array.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kOther = std::uint64_t{8} << 20;

/// Memory that has been touched, long enough for the watch to see it.
void use_memory() {
  LargeMemory memory(kBytes);
  std::fill_n(static_cast<std::byte*>(memory.data()), kBytes, std::byte{1});
  std::this_thread::sleep_for(100ms);
}

TEST(MemoryWatch, ReservedMemoryIsKnown) {
  EventRecorder recorder(10'000);
  MemoryLedger ledger({2 * kBytes}, &recorder);
  const MemoryWatch watch(ledger, &recorder, 1ms);
  const auto reservation = ledger.reserve({Pool::host(), MemoryClass::kWitness, kBytes, Priority::kNormal});
  use_memory();
  const MemoryWatch::Peaks peaks = watch.peaks();
  EXPECT_LT(peaks.unknown, kOther);
  EXPECT_EQ(peaks.reserved, kBytes);
  EXPECT_GE(peaks.resident + kOther, watch.own_bytes() + kBytes);
  const auto contents = recorder.contents();
  EXPECT_TRUE(std::ranges::any_of(contents.events, [&](const Event& event) {
    return event.name == "resident" && event.value + kOther >= watch.own_bytes() + kBytes;
  }));
}

TEST(MemoryWatch, OtherMemoryIsUnknown) {
  MemoryLedger ledger({kBytes});
  const MemoryWatch watch(ledger, nullptr, 1ms);
  use_memory();
  EXPECT_GE(watch.peaks().unknown + kOther, kBytes);
  EXPECT_EQ(watch.peaks().reserved, 0U);
}

TEST(MemoryWatch, WhatIsThereAtFirstIsTheProgramsOwn) {
  LargeMemory memory(kBytes);
  std::fill_n(static_cast<std::byte*>(memory.data()), kBytes, std::byte{1});
  MemoryLedger ledger({kBytes});
  const MemoryWatch watch(ledger, nullptr, 1ms);
  std::this_thread::sleep_for(50ms);
  EXPECT_GE(watch.own_bytes(), kBytes);
  EXPECT_LT(watch.peaks().unknown, kOther);
}

}  // namespace
}  // namespace proofline::engine
