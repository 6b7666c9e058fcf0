#pragma once
/// The circuits that one device holds. Plain C++.
#include <list>
#include <memory>

#include "device/cuda/prover.hpp"
#include "device/cuda/resident_circuit.hpp"
#include "device/gpu.hpp"

namespace proofline::cuda {

/// Circuits whose points are in device memory, the one used last in front. One thread at a time.
class Residents {
 public:
  /// `limits` are of all circuits and the working memory; 0 of the device: what is free at each loading, less a margin.
  /// Borrows the prover.
  Residents(Prover& prover, const MemoryLimits& limits) : prover_(prover), limits_(limits) {}

  /// The circuit whose parameters have this key. Nothing when it is not here.
  std::shared_ptr<const ResidentCircuit> find(const groth16::VerifyingKey& key);
  /// Brings a circuit in: those used longest ago leave when it does not fit beside them. Waits for the device. Throws
  /// DeviceError when it does not fit alone, and what `source` throws.
  std::shared_ptr<const ResidentCircuit> add(const r1cs::StructuredR1cs& circuit, const PointSource& source);
  device::GpuMemory memory() const;

 private:
  MemoryLimits free_memory() const;
  bool drop_last();

  Prover& prover_;
  MemoryLimits limits_;
  std::list<std::shared_ptr<const ResidentCircuit>> circuits_;
};

}  // namespace proofline::cuda
