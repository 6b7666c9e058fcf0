#pragma once
/// Graphics processors. Builds without code for them have the same functions: gpus() is then empty.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "device/backend.hpp"
#include "groth16/setup.hpp"

namespace proofline::device {

struct Gpu {
  unsigned index = 0;  ///< among those that the driver shows (CUDA_VISIBLE_DEVICES chooses and orders them)
  std::string name;    ///< "NVIDIA H200"
  std::uint64_t memory = 0;
};

/// Whether this build has code for any.
bool built_for_gpus();
/// Empty also where there is no driver.
std::vector<Gpu> gpus();

/// Memory that a backend has taken.
struct GpuMemory {
  std::uint64_t resident = 0;  ///< of the device: circuits and parameters
  std::uint64_t working = 0;   ///< of the device: for the partitions in progress, kept between them
  std::uint64_t pinned = 0;    ///< of the host: parameters that the device reads there
};

struct GpuOptions {
  unsigned index = 0;
  /// Device memory to use at most; 0: what is free, less a margin.
  std::uint64_t memory = 0;
  /// Host memory for parameters that do not fit into the device's.
  std::uint64_t pinned = 0;
  /// Told whenever that has changed, by the thread in start() or set_up(). Must not throw.
  std::function<void(const GpuMemory&)> on_memory = {};
};

/// "cuda 0"
inline std::string gpu_backend_name(unsigned index) {
  return "cuda " + std::to_string(index);
}

/// The backend of one device. A circuit's parameters are brought to the device with its first
/// partition (about a minute at 32 GiB, where the file is read first) and stay until another circuit needs the memory.
/// start() returns when the quotient polynomial is done, and the stage "h" ends there: the sums go on until finish()
/// has them, so that the device never waits for the host.
class GpuBackend : public Backend {
 public:
  /// Makes parameters on the device, where they stay: for tests and measurements, as whoever knows `waste` can forge
  /// proofs. start() takes this very circuit without parameters from then on. Not while a partition is in progress.
  virtual groth16::VerifyingKey set_up(std::shared_ptr<const r1cs::StructuredR1cs> circuit,
                                       const groth16::ToxicWaste& waste, Progress& progress) = 0;
};

/// `exec` decodes and checks parameters' points; it must outlive the backend. Throws Error when there is no such device
/// or it cannot be used.
std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions& options, const Executor& exec);

}  // namespace proofline::device
