#pragma once
/// The backends that a configuration asks for.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/gpu.hpp"
#include "engine/memory_ledger.hpp"
#include "service/config.hpp"
#include "service/log.hpp"

namespace proofline::service {

/// Keeps the ledger's pools of devices and pinned memory at what the backends have taken.
class DeviceMemory {
 public:
  explicit DeviceMemory(engine::MemoryLedger& ledger) : ledger_(ledger) {}
  /// For the device with this place among the engine's devices.
  void set(unsigned device, const device::GpuMemory& taken);

 private:
  struct Held {
    engine::Reservation resident, working, pinned;
  };
  engine::MemoryLedger& ledger_;
  std::mutex mutex_;
  std::vector<Held> held_;
};

/// Those that the configuration names, or all; none where it wants none. Throws InputError for a number that there is
/// not.
std::vector<device::Gpu> chosen_gpus(const GpuConfig& config, const Log& log);

/// The ledger's budgets: host, pinned, and each device's memory.
std::vector<std::uint64_t> pools(std::uint64_t host, const MemoryConfig& config, const std::vector<device::Gpu>& gpus);

/// `only_for` of the devices in use, by backend name. Says which of its devices are not in use.
std::map<std::string, std::vector<filecoin::CircuitKind>> devices_for_kinds(const GpuConfig& config,
                                                                            const std::vector<device::Gpu>& gpus,
                                                                            const Log& log);

/// One backend a device, or the CPU's where there is none. Throws Error when a device cannot be used. The executors and
/// `memory` must outlive them.
std::vector<std::unique_ptr<device::Backend>> make_backends(const Config& config, const std::vector<device::Gpu>& gpus,
                                                            DeviceMemory& memory, const Executor& exec,
                                                            const Executor& finish_exec, const Log& log);

}  // namespace proofline::service
