// The device that takes what the others cannot.
#include <algorithm>

#include "engine/engine_state.hpp"

namespace proofline::engine {

bool EngineState::has_device(filecoin::CircuitKind kind) const {
  return std::ranges::any_of(devices, [&](const Device& device) {
    return !device.status.is_fallback && !device.status.lost && takes_kind(device, kind);
  });
}

bool EngineState::has_fallback(const Job& job) const {
  return devices.back().status.is_fallback && job.fallback_bytes <= parts.ledger.state(Pool::host()).budget;
}

std::shared_ptr<Reservation> EngineState::take_fallback_memory(const Job& job) {
  if (!has_fallback(job)) return nullptr;
  std::shared_ptr<Reservation> held = fallback_memory.lock();
  const std::uint64_t had = held ? held->bytes() : 0;
  if (had >= job.fallback_bytes) return held;
  auto more =
      parts.ledger.try_reserve({Pool::host(), MemoryClass::kEvaluation, job.fallback_bytes - had, job.record.priority});
  if (!more) return nullptr;
  if (held) {
    held->merge(std::move(*more));
  } else {
    held = std::make_shared<Reservation>(std::move(*more));
    fallback_memory = held;
  }
  return held;
}

void EngineState::divert_to_fallback() {
  for (const std::unique_ptr<PartitionWork>& work : ready) {
    const Job& job = work->job();
    if (!work->fallback && !job.is_ended() && !has_device(job.record.kind)) work->fallback = take_fallback_memory(job);
  }
}

}  // namespace proofline::engine
