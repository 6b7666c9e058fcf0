#include "device/cuda/residents.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace proofline::cuda {

using device::GpuMemory;

namespace {

/// Left to the driver and to other programs.
constexpr std::size_t kMargin = std::size_t{512} << 20;
/// A dropped circuit's memory is free when the partitions in progress that use it have ended.
constexpr std::chrono::milliseconds kLook{5};
constexpr int kLooks = 6000;

}  // namespace

std::shared_ptr<const ResidentCircuit> Residents::find(const groth16::VerifyingKey& key) {
  const auto found = std::ranges::find_if(circuits_, [&](const auto& circuit) { return circuit->key() == key; });
  if (found == circuits_.end()) return nullptr;
  circuits_.splice(circuits_.begin(), circuits_, found);
  prover_.reserve(circuits_.front()->working_bytes());  // gone when bringing another circuit failed
  return circuits_.front();
}

std::shared_ptr<const ResidentCircuit> Residents::add(const r1cs::StructuredR1cs& circuit, const PointSource& source) {
  for (;;) {
    try {
      prover_.release();
      auto added = std::make_shared<const ResidentCircuit>(circuit, source, free_memory());
      std::size_t working = added->working_bytes();
      for (const auto& other : circuits_) working = std::max(working, other->working_bytes());
      prover_.reserve(working);
      circuits_.push_front(added);
      return added;
    } catch (const OutOfDeviceMemory&) {
      if (!drop_last()) throw;
    }
  }
}

MemoryLimits Residents::free_memory() const {
  const std::size_t free = device_memory().free;
  const GpuMemory taken = memory();  // the prover has released its own
  const auto less = [](std::size_t all, std::size_t part) { return all - std::min(all, part); };
  MemoryLimits out = limits_;
  out.device = less(free, kMargin);
  out.pinned = less(limits_.pinned, taken.pinned);
  if (limits_.device != 0) out.device = std::min(out.device, less(limits_.device, taken.resident));
  return out;
}

GpuMemory Residents::memory() const {
  GpuMemory out;
  out.working = prover_.reserved();
  for (const auto& circuit : circuits_) {
    out.resident += circuit->bytes();
    out.pinned += circuit->pinned_bytes();
  }
  return out;
}

bool Residents::drop_last() {
  if (circuits_.empty()) return false;
  const std::weak_ptr<const ResidentCircuit> last = circuits_.back();
  circuits_.pop_back();
  for (int i = 0; i < kLooks && !last.expired(); ++i) std::this_thread::sleep_for(kLook);
  return true;
}

}  // namespace proofline::cuda
