#include "engine/memory_ledger.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "engine/event_recorder.hpp"

namespace proofline::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

MemoryRequest host(std::uint64_t bytes, Priority priority = Priority::kNormal,
                   MemoryClass memory_class = MemoryClass::kWitness) {
  return {Pool::host(), memory_class, bytes, priority};
}

std::uint64_t reserved(const MemoryLedger& ledger) {
  return ledger.state(Pool::host()).reserved;
}

/// Waits until that many requests wait in the ledger.
void wait_for_waiting(const MemoryLedger& ledger, std::size_t count) {
  while (ledger.state(Pool::host()).waiting != count) std::this_thread::yield();
}

TEST(MemoryLedger, CountsByPoolAndClass) {
  MemoryLedger ledger({100, 50, 30});
  {
    const auto witness = ledger.reserve(host(40));
    const auto circuit = ledger.reserve(host(10, Priority::kLow, MemoryClass::kCircuit));
    const auto scratch = ledger.reserve({Pool::device(0), MemoryClass::kMsmScratch, 30, Priority::kNormal});
    const auto state = ledger.state(Pool::host());
    EXPECT_EQ(state.budget, 100U);
    EXPECT_EQ(state.reserved, 50U);
    EXPECT_EQ(state.by_class[static_cast<std::size_t>(MemoryClass::kWitness)], 40U);
    EXPECT_EQ(state.by_class[static_cast<std::size_t>(MemoryClass::kCircuit)], 10U);
    EXPECT_EQ(ledger.state(Pool::pinned()).reserved, 0U);
    EXPECT_EQ(ledger.state(Pool::device(0)).reserved, 30U);
  }
  EXPECT_EQ(reserved(ledger), 0U);
  EXPECT_EQ(ledger.state(Pool::host()).peak, 50U);
  EXPECT_EQ(ledger.state(Pool::device(7)).budget, 0U);
}

TEST(MemoryLedger, ChangesAreRecorded) {
  EventRecorder recorder(100);
  MemoryLedger ledger({100, 0, 50}, &recorder);
  {
    auto some = ledger.reserve(host(40));
    some->shrink_to(10);
    const auto more = ledger.reserve({Pool::device(0), MemoryClass::kMsmScratch, 50, Priority::kNormal});
  }
  std::vector<std::string> got;
  for (const Event& event : recorder.contents().events) got.push_back(event.name + " " + std::to_string(event.value));
  EXPECT_THAT(got, ElementsAre("host reserved 40", "host reserved 10", "device 0 reserved 50", "device 0 reserved 0",
                               "host reserved 0"));
}

TEST(MemoryLedger, ReservationsSplitShrinkJoinAndMove) {
  MemoryLedger ledger({100});
  Reservation whole = *ledger.reserve(host(100));
  Reservation part = whole.split(30, MemoryClass::kEvaluation);
  EXPECT_EQ(whole.bytes(), 70U);
  EXPECT_EQ(part.memory_class(), MemoryClass::kEvaluation);
  EXPECT_EQ(ledger.state(Pool::host()).by_class[static_cast<std::size_t>(MemoryClass::kEvaluation)], 30U);
  EXPECT_EQ(reserved(ledger), 100U);
  part.shrink_to(10);
  EXPECT_EQ(reserved(ledger), 80U);
  Reservation moved = std::move(part);
  EXPECT_EQ(part.bytes(), 0U);
  EXPECT_THROW(whole.merge(std::move(moved)), InputError) << "another class";
  EXPECT_EQ(moved.bytes(), 10U);
  whole.merge(whole.split(20));
  EXPECT_EQ(whole.bytes(), 70U);
  whole = std::move(moved);
  EXPECT_EQ(reserved(ledger), 10U);
  EXPECT_THROW(whole.shrink_to(11), InputError);
  EXPECT_THROW(whole.split(11), InputError);
  whole.release();
  EXPECT_EQ(reserved(ledger), 0U);
}

TEST(MemoryLedger, TheImpossibleIsRefusedAtOnceAndSaysWhatWouldDo) {
  MemoryLedger ledger({std::uint64_t{1} << 30});
  EXPECT_THAT([&] { ledger.reserve(host(std::uint64_t{3} << 30)); },
              ThrowsMessage<ImpossibleReservation>(testing::AllOf(HasSubstr("pool host is 1 GiB"),
                                                                  HasSubstr("witness needs 3 GiB"),
                                                                  HasSubstr("raise the budget by at least 2048 MiB"))));
  EXPECT_THROW(ledger.reserve({Pool::device(0), MemoryClass::kWitness, 1, Priority::kNormal}), ImpossibleReservation);
}

TEST(MemoryLedger, WhatIsNotFreeIsWaitedFor) {
  MemoryLedger ledger({100});
  auto first = ledger.reserve(host(60));
  EXPECT_EQ(ledger.try_reserve(host(50)), std::nullopt);
  std::atomic<bool> got{false};
  std::jthread waiter([&] {
    const auto second = ledger.reserve(host(50));
    got = true;
  });
  wait_for_waiting(ledger, 1);
  EXPECT_FALSE(got);
  first->shrink_to(50);
  waiter.join();
  EXPECT_TRUE(got);
}

/// Requests that queue up behind a full pool are served in this order.
TEST(MemoryLedger, ServesByPriorityThenAgeAndNobodyOvertakesALargeRequest) {
  MemoryLedger ledger({100});
  auto all = ledger.reserve(host(100));
  std::vector<int> served;
  std::mutex mutex;
  std::vector<std::jthread> threads;
  const auto queue = [&](int name, std::uint64_t bytes, Priority priority) {
    threads.emplace_back([&, name, bytes, priority] {
      const auto mine = ledger.reserve(host(bytes, priority));
      const std::lock_guard lock(mutex);
      served.push_back(name);
    });
    wait_for_waiting(ledger, threads.size());
  };
  queue(1, 90, Priority::kNormal);
  queue(2, 100, Priority::kNormal);
  queue(3, 100, Priority::kLow);
  queue(4, 100, Priority::kCritical);
  queue(5, 100, Priority::kNormal);
  queue(6, 100, Priority::kHigh);
  // A small one of the same priority would fit, and has to wait all the same.
  all->shrink_to(50);
  EXPECT_EQ(ledger.try_reserve(host(1)), std::nullopt);
  all->release();
  threads.clear();
  EXPECT_THAT(served, ElementsAre(4, 6, 1, 2, 5, 3));
}

TEST(MemoryLedger, ACancelledRequestLeavesTheQueueToTheNext) {
  MemoryLedger ledger({100});
  auto held = ledger.reserve(host(60));
  std::stop_source stop;
  std::optional<Reservation> large, small;
  std::jthread first([&] { large = ledger.reserve(host(100), stop.get_token()); });
  wait_for_waiting(ledger, 1);
  std::jthread second([&] { small = ledger.reserve(host(40)); });
  wait_for_waiting(ledger, 2);
  stop.request_stop();
  first.join();
  second.join();
  EXPECT_FALSE(large.has_value());
  EXPECT_TRUE(small.has_value());
  EXPECT_EQ(reserved(ledger), 100U);
}

struct CachedThing {
  CachedThing(MemoryLedger& ledger, std::uint64_t bytes, std::vector<int>& evicted, int name)
      : cached(ledger.cache(*ledger.reserve(host(bytes, Priority::kNormal, MemoryClass::kParameters)),
                            [&evicted, name] { evicted.push_back(name); })) {}
  std::shared_ptr<CachedMemory> cached;
};

TEST(MemoryLedger, IdleThingsAreEvictedInTheOrderOfTheirLastUse) {
  MemoryLedger ledger({100});
  std::vector<int> evicted;
  const CachedThing one(ledger, 30, evicted, 1), two(ledger, 30, evicted, 2), three(ledger, 30, evicted, 3);
  { const auto use = CachedMemory::use(one.cached); }
  EXPECT_EQ(ledger.state(Pool::host()).evictable, 90U);
  const auto small = ledger.reserve(host(10));
  EXPECT_THAT(evicted, ElementsAre());
  const auto more = ledger.reserve(host(50));
  EXPECT_THAT(evicted, ElementsAre(2, 3));
  EXPECT_EQ(CachedMemory::use(two.cached), std::nullopt);
  EXPECT_TRUE(CachedMemory::use(one.cached).has_value());
}

TEST(MemoryLedger, WhatIsInUseStaysUntilItIsIdle) {
  MemoryLedger ledger({100});
  std::vector<int> evicted;
  const CachedThing thing(ledger, 80, evicted, 1);
  auto use = CachedMemory::use(thing.cached);
  EXPECT_EQ(ledger.try_reserve(host(30)), std::nullopt);
  std::optional<Reservation> got;
  std::jthread waiter([&] { got = ledger.reserve(host(30)); });
  wait_for_waiting(ledger, 1);
  EXPECT_THAT(evicted, ElementsAre());
  use.reset();
  waiter.join();
  EXPECT_THAT(evicted, ElementsAre(1));
  EXPECT_EQ(reserved(ledger), 30U);
}

TEST(MemoryLedger, ADroppedCacheEntryGivesItsBytesBack) {
  MemoryLedger ledger({100});
  std::vector<int> evicted;
  {
    const CachedThing thing(ledger, 80, evicted, 1);
    EXPECT_EQ(reserved(ledger), 80U);
  }
  EXPECT_EQ(reserved(ledger), 0U);
  EXPECT_THAT(evicted, ElementsAre());
}

/// Many threads with requests of all sizes and priorities, splits, cancellations and a cache under pressure: the budget
/// holds at every moment, everybody is served, and nothing is left.
TEST(MemoryLedger, TheBudgetHoldsUnderAnyLoad) {
  constexpr std::uint64_t kBudget = 1000;
  for (const unsigned threads : {1U, 4U, 16U}) {
    MemoryLedger ledger({kBudget});
    std::atomic<std::int64_t> in_use{0}, evictions{0};
    std::atomic<bool> exceeded{false};
    const auto add = [&](std::uint64_t bytes) {
      if (in_use += static_cast<std::int64_t>(bytes); in_use > static_cast<std::int64_t>(kBudget)) exceeded = true;
    };
    const auto remove = [&](std::uint64_t bytes) { in_use -= static_cast<std::int64_t>(bytes); };
    {
      std::vector<std::jthread> workers;
      for (unsigned worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&, worker] {
          std::mt19937_64 rng(worker);
          // A cached thing is dropped by the ledger or by its owner; whoever comes first counts it out.
          struct Kept {
            std::shared_ptr<CachedMemory> cached;
            std::shared_ptr<std::atomic<bool>> dropped;
            std::uint64_t bytes;
          };
          std::vector<Kept> kept;
          for (int round = 0; round < 300; ++round) {
            const std::uint64_t bytes = 1 + rng() % (rng() % 8 == 0 ? kBudget : kBudget / 8);
            std::stop_source stop;
            if (rng() % 10 == 0) stop.request_stop();
            auto mine = ledger.reserve(host(bytes, static_cast<Priority>(rng() % 4)), stop.get_token());
            if (!mine) continue;
            add(bytes);
            Reservation part = mine->split(bytes / 3);
            std::this_thread::yield();
            remove(part.bytes());
            part.release();
            if (rng() % 5 == 0) {
              const std::uint64_t left = mine->bytes();
              const auto dropped = std::make_shared<std::atomic<bool>>(false);
              const auto evict = [&, left, dropped] {
                if (!dropped->exchange(true)) remove(left);
                ++evictions;
              };
              kept.push_back({ledger.cache(std::move(*mine), evict), dropped, left});
              if (const auto use = CachedMemory::use(kept[rng() % kept.size()].cached)) std::this_thread::yield();
              continue;
            }
            remove(mine->bytes());
          }
          for (const Kept& thing : kept)
            if (!thing.dropped->exchange(true)) remove(thing.bytes);
        });
      }
    }
    EXPECT_FALSE(exceeded) << threads;
    EXPECT_GT(evictions, 0) << threads;
    EXPECT_LE(ledger.state(Pool::host()).peak, kBudget);
    EXPECT_EQ(reserved(ledger), 0U) << threads;
    EXPECT_EQ(in_use, 0) << threads;
    EXPECT_EQ(ledger.state(Pool::host()).waiting, 0U);
  }
}

}  // namespace
}  // namespace proofline::engine
