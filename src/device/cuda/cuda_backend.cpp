// The backend of one CUDA device.
#include <cuda_runtime_api.h>

#include <optional>
#include <utility>

#include "device/cuda/check.cuh"
#include "device/cuda/device_code.hpp"
#include "device/cuda/parameter_transfer.hpp"
#include "device/cuda/prover.hpp"
#include "device/cuda/residents.hpp"
#include "device/cuda/setup.hpp"
#include "device/gpu.hpp"

namespace proofline::cuda {
namespace {

/// Host memory for points on their way to the device, and for the places of field elements.
constexpr std::uint64_t kStaging = std::uint64_t{64} << 20;

void done(groth16::StageObserver* observer, std::string_view stage) {
  if (observer != nullptr) observer->stage_done(stage);
}

void stop_here(const std::stop_token& stop, const char* where) {
  if (stop.stop_requested()) throw device::Cancelled(std::string("cancelled ") + where);
}

/// Ends the loading of parameters when that is asked for.
class StoppableLoading : public Progress {
 public:
  explicit StoppableLoading(std::stop_token stop) : stop_(std::move(stop)) {}
  void report(std::string_view, std::uint64_t, std::uint64_t) override {
    stop_here(stop_, "while its parameters were brought to the device");
  }

 private:
  std::stop_token stop_;
};

class CudaPending : public device::Pending {
 public:
  CudaPending(int device, std::unique_ptr<Prover::Started> started, groth16::VerifyingKey key,
              groth16::Blinding blinding)
      : device_(device), started_(std::move(started)), key_(std::move(key)), blinding_(std::move(blinding)) {}

  groth16::Proof finish(std::stop_token stop, groth16::StageObserver* observer) override {
    stop_here(stop, "before its sums were complete");
    use_device(device_);
    const groth16::ProofSums sums = started_->sums();
    started_.reset();
    done(observer, "sums");
    const groth16::Proof proof = groth16::assemble(key_, blinding_, sums);
    done(observer, "assembly");
    return proof;
  }

 private:
  int device_;
  std::unique_ptr<Prover::Started> started_;
  groth16::VerifyingKey key_;
  groth16::Blinding blinding_;
};

std::unique_ptr<Prover> make_prover(int device) {
  use_device(device);
  require_code_for_device(device);
  return std::make_unique<Prover>();
}

class CudaBackend : public device::GpuBackend {
 public:
  CudaBackend(const device::GpuOptions& options, const Executor& exec)
      : device_(static_cast<int>(options.index)),
        name_(device::gpu_backend_name(options.index)),
        exec_(exec),
        prover_(make_prover(device_)),
        residents_(*prover_, {.device = options.memory, .pinned = options.pinned}),
        on_memory_(options.on_memory) {}

  const std::string& name() const override { return name_; }

  device::PartitionNeeds needs(const r1cs::StructuredR1cs& circuit) const override {
    device::PartitionNeeds out;
    out.evaluation.host = kStaging + 3 * sizeof(std::uint32_t) * circuit.kinds->num_fields();
    return out;
  }

  std::unique_ptr<device::Pending> start(device::PartitionWork work, std::stop_token stop,
                                         groth16::StageObserver* observer) override {
    use_device(device_);
    stop_here(stop, "before its start");
    const std::shared_ptr<const ResidentCircuit> resident = resident_of(work, stop);
    stop_here(stop, "when its circuit was on the device");
    std::unique_ptr<Prover::Started> started = prover_->start(resident, *work.circuit, work.witness);
    done(observer, "h");
    return std::make_unique<CudaPending>(device_, std::move(started), resident->key(), std::move(work.blinding));
  }

  groth16::VerifyingKey set_up(std::shared_ptr<const r1cs::StructuredR1cs> circuit, const groth16::ToxicWaste& waste,
                               Progress& progress) override {
    use_device(device_);
    const auto resident = bring(*circuit, [&](const ParameterPoints& out, Arena scratch, Stream stream) {
      return make_parameters(*circuit, waste, out, scratch, stream, exec_, progress);
    });
    own_ = Own{std::move(circuit), resident->key()};
    return resident->key();
  }

 private:
  /// A circuit whose parameters were made here.
  struct Own {
    std::shared_ptr<const r1cs::StructuredR1cs> circuit;
    groth16::VerifyingKey key;
  };

  std::shared_ptr<const ResidentCircuit> resident_of(const device::PartitionWork& work, const std::stop_token& stop) {
    if (work.parameters == nullptr) {
      if (!own_ || own_->circuit != work.circuit)
        throw InputError(name_ + ": a partition without parameters, of a circuit that was not set up here");
      if (auto found = residents_.find(own_->key)) return found;
      throw DeviceError(name_ + ": the parameters that were made here have left the device");
    }
    groth16::require_same_circuit(*work.circuit, *work.parameters);
    if (auto found = residents_.find(work.parameters->verifying_key())) return found;
    return bring(*work.circuit, [&](const ParameterPoints& out, Arena, Stream stream) {
      StoppableLoading progress(stop);
      load_parameters(*work.parameters, out, stream, exec_, progress);
      return work.parameters->verifying_key();
    });
  }

  /// Tells of the memory also when it fails: circuits may have left to make room.
  std::shared_ptr<const ResidentCircuit> bring(const r1cs::StructuredR1cs& circuit, const PointSource& source) {
    struct Teller {
      const CudaBackend& backend;
      ~Teller() {
        if (backend.on_memory_) backend.on_memory_(backend.residents_.memory());
      }
    } const teller{*this};
    return residents_.add(circuit, source);
  }

  int device_;
  std::string name_;
  const Executor& exec_;
  std::unique_ptr<Prover> prover_;
  Residents residents_;
  std::function<void(const device::GpuMemory&)> on_memory_;
  std::optional<Own> own_;
};

}  // namespace
}  // namespace proofline::cuda

namespace proofline::device {

bool built_for_gpus() {
  return true;
}

std::vector<Gpu> gpus() {
  std::vector<Gpu> out;
  for (int i = 0; i < cuda::device_count(); ++i) {
    cudaDeviceProp properties;
    cuda::check(cudaGetDeviceProperties(&properties, i), "reading a device's properties");
    out.push_back({static_cast<unsigned>(i), properties.name, properties.totalGlobalMem});
  }
  return out;
}

std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions& options, const Executor& exec) {
  return std::make_unique<cuda::CudaBackend>(options, exec);
}

}  // namespace proofline::device
