#pragma once
/// A circuit and a witness's values on the device, for the tests of what takes them.
#include <type_traits>

#include "device/cuda/device.hpp"
#include "device/cuda/instance_values.hpp"

namespace proofline::test {

template <class T>
std::vector<std::remove_const_t<T>> host_copy(std::span<T> device) {
  std::vector<std::remove_const_t<T>> out(device.size());
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(out.data(), device.data(), device.size_bytes(), cudaMemcpyDeviceToHost));
  return out;
}

struct CircuitOnDevice {
  explicit CircuitOnDevice(const r1cs::StructuredR1cs& circuit) : memory(cuda::circuit_device_bytes(circuit)) {
    cuda::Arena arena(memory.span());
    arrays = cuda::enqueue_circuit(circuit, arena, nullptr);
  }
  DeviceArray<std::byte> memory;
  cuda::DeviceCircuit arrays;
};

struct ValuesOnDevice {
  ValuesOnDevice(const CircuitOnDevice& circuit, const r1cs::CompactWitness& witness)
      : memory(cuda::instance_values_device_bytes(circuit.arrays)) {
    cuda::Arena arena(memory.span());
    values = cuda::enqueue_instance_values(circuit.arrays, witness, arena, nullptr);
  }
  DeviceArray<std::byte> memory;
  cuda::DeviceValues values;
};

}  // namespace proofline::test
