// What comes before transforms and sums, on the device: values of instances, rows of A, B and C, scalars of the three
// queries. Medians of 5 after a warm-up, from a witness of random bits and field elements; everything is compared with
// the CPU's. Arguments: a circuit file (proofline circuit save) and, to leave the comparison out, "fast".
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "device/cuda/memory.hpp"
#include "device/cuda/query_scalars.hpp"
#include "device/cuda/row_values.hpp"
#include "r1cs/circuit_file.hpp"
#include "r1cs/evaluate.hpp"
#include "timing.cuh"

namespace proofline::cuda {
namespace {

using math::Fr;
using r1cs::CompactWitness;
using r1cs::Query;
using r1cs::StructuredR1cs;

CompactWitness random_witness(const StructuredR1cs& circuit) {
  std::mt19937_64 random(1);
  CompactWitness out;
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

template <class T>
std::vector<std::remove_const_t<T>> host_copy(std::span<T> device) {
  std::vector<std::remove_const_t<T>> out(device.size());
  check(cudaMemcpy(out.data(), device.data(), device.size_bytes(), cudaMemcpyDeviceToHost), "copy to the host");
  return out;
}

double mega(std::size_t bytes) {
  return static_cast<double>(bytes) * 1e-6;
}

void compare_rows(const StructuredR1cs& circuit, const CompactWitness& witness, const std::span<Fr> (&values)[3]) {
  constexpr std::uint64_t kBlock = 1 << 22;
  std::vector<Fr> cpu[3];
  for (std::vector<Fr>& v : cpu) v.resize(kBlock);
  std::uint64_t wrong = 0;
  const Executor exec;
  for (std::uint64_t at = 0; at < circuit.num_constraints; at += kBlock) {
    const std::uint64_t count = std::min(kBlock, circuit.num_constraints - at);
    const auto part = [&](int m) { return std::span(cpu[m]).first(count); };
    r1cs::evaluate_rows(circuit, witness, at, at + count, {part(0), part(1), part(2)}, exec);
    for (int m = 0; m < 3; ++m) {
      const std::vector<Fr> got = host_copy(values[m].subspan(at, count));
      if (std::memcmp(got.data(), cpu[m].data(), count * sizeof(Fr)) != 0) ++wrong;
    }
  }
  std::printf("  blocks of rows that differ from the CPU's: %llu\n", static_cast<unsigned long long>(wrong));
  std::fflush(stdout);
}

void compare_scalars(const StructuredR1cs& circuit, const CompactWitness& witness, Query query,
                     const DeviceScalars& scalars) {
  const std::vector<std::uint32_t> bits = host_copy(scalars.bits);
  const std::vector<Fr> fields = host_copy(scalars.fields);
  const Executor exec;
  r1cs::QueryScalars expected(circuit, witness, query, exec);
  std::size_t points = 0, at_field = 0, wrong = 0;
  for (math::CompactScalars piece; expected.next(piece); points += piece.size) {
    for (std::size_t i = 0; i < piece.size; ++i) {
      const std::size_t point = points + i;
      if ((piece.bits[i / 64] >> (i % 64) & 1) != (bits[point / 32] >> point % 32 & 1)) ++wrong;
    }
    for (const Fr& field : piece.fields)
      if (at_field >= fields.size() || fields[at_field++] != field) ++wrong;
  }
  wrong += fields.size() - at_field;
  std::printf("  bits and field elements that differ from the CPU's: %zu\n", wrong);
  std::fflush(stdout);
}

void run(const char* path, bool compare) {
  const StructuredR1cs circuit = r1cs::load_circuit(path);
  const CompactWitness witness = random_witness(circuit);
  const std::uint64_t rows = circuit.num_constraints;
  const DeviceBlock circuit_memory(circuit_device_bytes(circuit));
  Arena circuit_arena(circuit_memory.bytes());
  const auto start = std::chrono::steady_clock::now();
  const DeviceCircuit on_device = enqueue_circuit(circuit, circuit_arena, nullptr);
  check(cudaDeviceSynchronize(), "circuit");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%llu rows, %u placements, %u bit runs, %u field runs, %u chains; circuit %.1f MB in %.2f s\n",
              static_cast<unsigned long long>(rows), on_device.placements, on_device.bit_runs, on_device.field_runs,
              on_device.chains, mega(circuit_memory.bytes().size()), taken.count());

  const DeviceBlock memory(instance_values_device_bytes(on_device));
  DeviceValues values;
  const auto instance_values = [&] {
    Arena arena(memory.bytes());
    values = enqueue_instance_values(on_device, witness, arena, nullptr);
  };
  std::printf("values of instances, %.1f MB: %.3f ms with the upload of %.1f MB from pageable memory\n",
              mega(memory.bytes().size()), static_cast<double>(median_ms(instance_values)), mega(witness.bytes()));
  const auto pin = [](const auto& data) {
    check(cudaHostRegister(const_cast<void*>(static_cast<const void*>(data.data())), data.size() * sizeof(data[0]),
                           cudaHostRegisterDefault),
          "pinning");
  };
  pin(witness.bits.words());
  pin(witness.fields);
  std::printf("  from pinned memory: %.3f ms\n", static_cast<double>(median_ms(instance_values)));

  std::size_t size = 1;
  while (size < rows + circuit.num_inputs) size *= 2;
  const DeviceBlock row_memory(3 * size * sizeof(Fr) + Arena::kAlignment);
  Arena row_arena(row_memory.bytes());
  const std::span<Fr> abc[3] = {row_arena.take<Fr>(size), row_arena.take<Fr>(size), row_arena.take<Fr>(size)};
  const std::span<std::uint64_t, 1> broken = row_arena.take<std::uint64_t>(1).first<1>();
  const float row_time =
      median_ms([&] { enqueue_row_values(on_device, values, abc[0], abc[1], abc[2], broken, nullptr); });
  std::printf("rows: %.3f ms, first broken one %llu\n", static_cast<double>(row_time),
              static_cast<unsigned long long>(host_copy(std::span<std::uint64_t>(broken))[0]));
  std::fflush(stdout);
  if (compare) {
    const auto first = r1cs::first_broken_row(circuit, witness, Executor());
    std::printf("  first broken row of the CPU's: %llu\n", static_cast<unsigned long long>(first.value_or(kNoRow)));
    compare_rows(circuit, witness, abc);
  }

  for (const Query query : {Query::kAux, Query::kA, Query::kB}) {
    const DeviceBlock query_memory(query_device_bytes(circuit, query));
    Arena query_arena(query_memory.bytes());
    const DeviceQuery device_query = enqueue_query(circuit, query, query_arena, nullptr);
    const DeviceBlock scalar_memory(query_scalars_device_bytes(device_query));
    DeviceScalars scalars;
    const float time = median_ms([&] {
      Arena arena(scalar_memory.bytes());
      scalars = enqueue_query_scalars(device_query, values, arena, nullptr);
    });
    std::printf("query %s: %.3f ms, %zu points, %zu field elements; %.1f MB, %.1f MB once\n",
                query == Query::kAux ? "aux"
                : query == Query::kA ? "A"
                                     : "B",
                static_cast<double>(time), device_query.points, scalars.fields.size(),
                mega(scalar_memory.bytes().size()), mega(query_memory.bytes().size()));
    if (compare) compare_scalars(circuit, witness, query, scalars);
  }
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  const bool fast = count == 3 && std::string_view(arguments[2]) == "fast";
  if (count != 2 && !fast) {
    std::fprintf(stderr, "usage: row_values_cuda_bench circuit-file [fast]\n");
    return 2;
  }
  try {
    proofline::cuda::run(arguments[1], !fast);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
