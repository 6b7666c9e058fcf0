#include "service/device_backends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "device/cpu/cpu_backend.hpp"

namespace proofline::service {

void DeviceMemory::set(unsigned device, const device::GpuMemory& taken) {
  const std::lock_guard lock(mutex_);
  if (held_.size() <= device) held_.resize(device + 1);
  Held& held = held_[device];
  const auto move_to = [&](engine::Reservation& now, engine::MemoryClass memory_class, std::uint64_t bytes) {
    now.release();
    // The backend keeps to the device's memory, which is the pool's budget: there is nobody to wait for.
    if (auto taken_now =
            ledger_.try_reserve({engine::Pool::device(device), memory_class, bytes, engine::Priority::kNormal}))
      now = std::move(*taken_now);
  };
  move_to(held.resident, engine::MemoryClass::kParameters, taken.resident);
  move_to(held.working, engine::MemoryClass::kMsmScratch, taken.working);
}

std::vector<device::Gpu> chosen_gpus(const GpuConfig& config, const Log& log) {
  if (!config.use) return {};
  const std::vector<device::Gpu> all = device::gpus();
  if (config.devices.empty()) return all;
  if (all.empty()) {
    log.warn(device::built_for_gpus() ? "gpus.devices has no effect: the driver shows no CUDA device"
                                      : "gpus.devices has no effect: this build proves on the CPU",
             {});
    return {};
  }
  std::vector<device::Gpu> out;
  for (const unsigned number : config.devices) {
    if (number >= all.size())
      throw InputError(fmt::format("gpus.devices: {}: there are {}, counted from 0", number, all.size()));
    out.push_back(all[number]);
  }
  return out;
}

std::vector<std::uint64_t> pools(std::uint64_t host, const MemoryConfig& config, const std::vector<device::Gpu>& gpus) {
  std::vector<std::uint64_t> out = {host, gpus.empty() ? 0 : config.pinned_budget};
  for (const device::Gpu& gpu : gpus) out.push_back(gpu.memory);
  return out;
}

std::map<std::string, std::vector<filecoin::CircuitKind>> devices_for_kinds(const GpuConfig& config,
                                                                            const std::vector<device::Gpu>& gpus,
                                                                            const Log& log) {
  std::map<std::string, std::vector<filecoin::CircuitKind>> out;
  for (const auto& [number, kinds] : config.only_for) {
    if (std::ranges::find(gpus, number, &device::Gpu::index) == gpus.end()) {
      log.warn("gpus.only_for has no effect for a device that is not used", {{"device", std::to_string(number)}});
    } else {
      out[device::gpu_backend_name(number)] = kinds;
    }
  }
  return out;
}

std::vector<std::unique_ptr<device::Backend>> make_backends(const Config& config, const std::vector<device::Gpu>& gpus,
                                                            DeviceMemory& memory, const Executor& exec,
                                                            const Executor& finish_exec, const Log& log) {
  std::vector<std::unique_ptr<device::Backend>> out;
  for (unsigned i = 0; i < gpus.size(); ++i) {
    const auto on_memory = [&memory, i](const device::GpuMemory& taken) { memory.set(i, taken); };
    out.push_back(device::make_gpu_backend(
        {gpus[i].index, config.gpus.memory.value_or(0), config.memory.pinned_budget / gpus.size(), on_memory}, exec));
    log.info("device", {{"name", out.back()->name()},
                        {"model", gpus[i].name},
                        {"memory", format_bytes(config.gpus.memory.value_or(gpus[i].memory))}});
  }
  if (out.empty()) out.push_back(device::make_cpu_backend(exec, finish_exec));
  return out;
}

}  // namespace proofline::service
