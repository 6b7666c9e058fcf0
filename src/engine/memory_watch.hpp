#pragma once
/// What the ledger says and what the process really has, beside each other.
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "engine/event_recorder.hpp"
#include "engine/memory_ledger.hpp"

namespace proofline::engine {

/// Samples both as long as it lives, on a thread of its own. Each sample of the resident memory goes to the recorder as
/// the counter "resident", beside the ledger's "host reserved".
class MemoryWatch {
 public:
  /// What is resident now beyond what is reserved counts as the program's own. Both must outlive the watch; a null
  /// recorder records nothing.
  explicit MemoryWatch(const MemoryLedger& ledger, EventRecorder* recorder = nullptr,
                       std::chrono::milliseconds period = std::chrono::milliseconds(10));

  struct Peaks {
    std::uint64_t resident = 0, reserved = 0;
    /// The most by which what was resident went above the program's own and what was reserved (in host and pinned
    /// memory) at that time: bytes that the ledger does not know of. 0 if it never did.
    std::uint64_t unknown = 0;
  };
  Peaks peaks() const;
  /// What was resident beyond what was reserved when the watch began.
  std::uint64_t own_bytes() const { return own_; }

 private:
  std::uint64_t reserved() const;
  void sample();

  const MemoryLedger& ledger_;
  EventRecorder* recorder_;
  std::uint64_t own_;
  mutable std::mutex mutex_;
  Peaks peaks_;
  std::jthread thread_;  // last: it ends first
};

}  // namespace proofline::engine
