// Rows of A, B and C of a circuit on the device: median of 5 after a warm-up, from a witness of random bits and field
// elements; all rows are compared with the CPU's. Argument: a circuit file (proofline circuit save).
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "device/cuda/row_values.hpp"
#include "r1cs/circuit_file.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;

void require(cudaError_t status) {
  if (status != cudaSuccess) throw DeviceError(cudaGetErrorString(status));
}
template <class T>
std::span<T> device_array(std::size_t count) {
  T* at = nullptr;
  require(cudaMalloc(&at, count * sizeof(T)));
  return {at, count};
}

r1cs::CompactWitness random_witness(const r1cs::StructuredR1cs& circuit) {
  std::mt19937_64 random(1);
  r1cs::CompactWitness out;
  out.kinds = circuit.kinds;
  out.inputs.assign(circuit.num_inputs, Fr::one());
  out.fields.resize(circuit.kinds->num_stored());
  for (Fr& value : out.fields) value = Fr::from_canonical({random(), random(), random(), random() >> 2});
  const std::span<const std::uint64_t> fields = circuit.kinds->fields().bits().words();
  for (std::size_t i = 0; i < circuit.num_aux(); i += 64)
    out.bits.append(random() & ~fields[i / 64],
                    static_cast<unsigned>(std::min<std::size_t>(64, circuit.num_aux() - i)));
  return out;
}

void run(const char* path) {
  const r1cs::StructuredR1cs circuit = r1cs::load_circuit(path);
  const r1cs::CompactWitness witness = random_witness(circuit);
  const std::uint64_t rows = circuit.num_constraints;
  const auto start = std::chrono::steady_clock::now();
  Arena arena(device_array<std::byte>(circuit_device_bytes(circuit)));
  const DeviceCircuit on_device = enqueue_circuit(circuit, arena, nullptr);
  require(cudaDeviceSynchronize());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%llu rows, %u placements, %u bit runs, %u field runs, %u solved instances; circuit %.1f MB in %.2f s\n",
              static_cast<unsigned long long>(rows), on_device.placements, on_device.bit_runs, on_device.field_runs,
              on_device.solved, static_cast<double>(circuit_device_bytes(circuit)) * 1e-6, taken.count());
  std::size_t size = 1;
  while (size < rows) size *= 2;
  const std::span<Fr> values[3] = {device_array<Fr>(size), device_array<Fr>(size), device_array<Fr>(size)};
  const std::span<std::byte> memory = device_array<std::byte>(row_values_device_bytes(on_device));
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 6; ++i) {
    require(cudaEventRecord(begin));
    enqueue_row_values(on_device, witness, values[0], values[1], values[2], Arena(memory), nullptr);
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    float ms = 0;
    require(cudaEventElapsedTime(&ms, begin, end));
    if (i != 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("witness %.1f MB, scratch %.1f MB: %.2f ms with the upload (%.2f to %.2f)\n",
              static_cast<double>(witness.bytes()) * 1e-6, static_cast<double>(memory.size()) * 1e-6,
              static_cast<double>(times[2]), static_cast<double>(times[0]), static_cast<double>(times[4]));
  std::fflush(stdout);
  constexpr std::uint64_t kBlock = 1 << 22;
  std::vector<Fr> cpu[3], got(kBlock);
  for (std::vector<Fr>& v : cpu) v.resize(kBlock);
  std::uint64_t wrong = 0;
  const Executor exec;
  for (std::uint64_t at = 0; at < rows; at += kBlock) {
    const std::uint64_t count = std::min(kBlock, rows - at);
    const auto part = [&](int m) { return std::span(cpu[m]).first(count); };
    r1cs::evaluate_rows(circuit, witness, at, at + count, {part(0), part(1), part(2)}, exec);
    for (int m = 0; m < 3; ++m) {
      require(cudaMemcpy(got.data(), values[m].data() + at, count * sizeof(Fr), cudaMemcpyDeviceToHost));
      if (std::memcmp(got.data(), cpu[m].data(), count * sizeof(Fr)) != 0) ++wrong;
    }
  }
  std::printf("blocks of rows that differ from the CPU's: %llu\n", static_cast<unsigned long long>(wrong));
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: row_values_cuda_bench circuit-file\n");
    return 2;
  }
  try {
    proofline::cuda::run(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
