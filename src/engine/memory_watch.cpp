#include "engine/memory_watch.hpp"

#include <algorithm>
#include <condition_variable>

#include "base/resident_memory.hpp"

namespace proofline::engine {
namespace {

std::uint64_t excess(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

}  // namespace

MemoryWatch::MemoryWatch(const MemoryLedger& ledger, EventRecorder* recorder, std::chrono::milliseconds period)
    : ledger_(ledger), recorder_(recorder), own_(excess(resident_memory().total, reserved())) {
  thread_ = std::jthread([this, period](std::stop_token stop) {
    std::mutex idle;
    std::condition_variable_any wait;
    std::unique_lock lock(idle);
    while (!stop.stop_requested()) {
      sample();
      wait.wait_for(lock, stop, period, [] { return false; });
    }
  });
}

std::uint64_t MemoryWatch::reserved() const {
  return ledger_.state(Pool::host()).reserved + ledger_.state(Pool::pinned()).reserved;
}

void MemoryWatch::sample() {
  // Memory is reserved before it is taken and freed before it is given back, so the larger of both readings holds.
  const std::uint64_t before = reserved();
  const std::uint64_t resident = resident_memory().total;
  const std::uint64_t known = std::max(before, reserved());
  if (recorder_ != nullptr) recorder_->counter("resident", resident);
  const std::lock_guard lock(mutex_);
  peaks_.resident = std::max(peaks_.resident, resident);
  peaks_.reserved = std::max(peaks_.reserved, known);
  peaks_.unknown = std::max(peaks_.unknown, excess(resident, own_ + known));
}

MemoryWatch::Peaks MemoryWatch::peaks() const {
  const std::lock_guard lock(mutex_);
  return peaks_;
}

}  // namespace proofline::engine
