// Trusted setup of a circuit on the device: times, host peak, and points compared with the host's. Arguments: a circuit
// file (proofline circuit save); a file to write the parameters to and to load them from again (optional).
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/resident_memory.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/fixed_base.hpp"
#include "device/cuda/memory.hpp"
#include "device/cuda/parameter_transfer.hpp"
#include "device/cuda/setup.hpp"
#include "groth16/setup_scalars.hpp"
#include "r1cs/circuit_file.hpp"

namespace proofline::cuda {
namespace {

using groth16::PointList;
using math::Fr;
using math::G1;
using math::G2;

/// Prints the seconds since the last call and the process's peak memory since then.
class Laps {
 public:
  Laps() { reset_peak_resident(); }
  double lap(const char* what) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    std::printf("%-60s %8.3f s, host peak %.2f GiB\n", what, taken.count(),
                static_cast<double>(peak_resident_bytes()) / (1 << 30));
    std::fflush(stdout);
    reset_peak_resident();
    start_ = std::chrono::steady_clock::now();
    return taken.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class Point>
bool is_multiple(const typename Point::Affine* on_device, const Fr& scalar) {
  typename Point::Affine point;
  check(cudaMemcpy(&point, on_device, sizeof(point), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return point == (Point::generator() * scalar).to_affine();
}

/// Compares the first and the last point of each block with the host's.
void compare(const r1cs::StructuredR1cs& circuit, const groth16::ToxicWaste& waste, const ParameterPoints& points,
             const Executor& exec) {
  std::size_t compared = 0, wrong = 0;
  const auto expect = [&](PointList list, std::size_t i, const Fr& scalar) {
    const auto& in_g1 = list == PointList::kH   ? points.h
                        : list == PointList::kL ? points.l
                        : list == PointList::kA ? points.a
                                                : points.b_g1;
    bool good = is_multiple<G1>(&in_g1[i], scalar);
    if (list == PointList::kB) good = good && is_multiple<G2>(&points.b_g2[i], scalar);
    ++compared;
    wrong += good ? 0 : 1;
  };
  const groth16::SetupScalars scalars(circuit, waste, exec);
  scalars.make({PointList::kH, PointList::kL, PointList::kA, PointList::kB},
               [&](PointList list, std::size_t first, std::span<const Fr> block) {
                 expect(list, first, block.front());
                 expect(list, first + block.size() - 1, block.back());
               });
  std::printf("points that differ from the host's: %zu of %zu compared\n", wrong, compared);
}

/// The kernels alone: `out` is overwritten.
template <class Point>
void time_multiples(const char* group, std::span<typename Point::Affine> out, std::span<std::byte> scratch,
                    const Executor& exec) {
  const std::size_t n = std::min<std::size_t>(out.size(), std::size_t{1} << 22);
  Arena arena(scratch);
  const auto on_device = arena.take<typename Point::Affine>(kFixedBaseMultiples);
  const auto table = fixed_base_table<Point>(Point::Affine::generator(), exec);
  check(cudaMemcpy(on_device.data(), table.data(), on_device.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  const auto scalars = arena.take<Fr>(n);
  std::vector<Fr> values(n);
  exec.parallel_for(n, 1 << 12, [&](std::size_t begin, std::size_t end) {
    Fr power = Fr::from_u64(3).pow(1000 + begin);
    for (std::size_t i = begin; i < end; ++i, power *= Fr::from_u64(3)) values[i] = power;
  });
  check(cudaMemcpy(scalars.data(), values.data(), scalars.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  std::vector<float> times;
  for (int i = 0; i < 6; ++i) {
    check(cudaEventRecord(begin), "event");
    enqueue_multiples<Point>(on_device, scalars, out.first(n), arena, nullptr);
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "multiples");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    if (i != 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s: %zu multiples in %.2f ms (%.2f to %.2f), %.2f ns each\n", group, n, static_cast<double>(times[2]),
              static_cast<double>(times[0]), static_cast<double>(times[4]),
              static_cast<double>(times[2]) * 1e6 / static_cast<double>(n));
}

void run(const char* circuit_file, const char* parameter_file) {
  const Executor exec;
  Laps laps;
  const r1cs::StructuredR1cs circuit = r1cs::load_circuit(circuit_file);
  laps.lap("reading the circuit");
  const ParameterCounts counts = parameter_counts(circuit);
  const DeviceBlock memory(counts.bytes());
  const std::size_t room = setup_device_bytes() + (std::size_t{1} << 22) * sizeof(Fr);
  const DeviceBlock scratch(room);
  const OwnedStream stream;
  Arena arena(memory.bytes());
  const ParameterPoints points = counts.take(arena);
  std::printf("h %zu, l %zu, a %zu, b %zu: %.2f GiB, scratch %.2f GiB, %u threads\n", counts.h, counts.l, counts.a,
              counts.b, static_cast<double>(counts.bytes()) / (1 << 30), static_cast<double>(room) / (1 << 30),
              exec.threads());
  laps.lap("device memory");
  const auto waste = groth16::ToxicWaste::insecure_from_seed(7);
  groth16::VerifyingKey key;
  for (int i = 0; i < 2; ++i) {
    key = make_parameters(circuit, waste, points, Arena(scratch.bytes()), stream.get(), exec, no_progress());
    laps.lap("setup");
  }
  {
    const groth16::SetupScalars scalars(circuit, waste, exec);
    laps.lap("scalars only: Lagrange polynomials");
    const auto forget = [](PointList, std::size_t, std::span<const Fr>) {};
    scalars.make({PointList::kH}, forget);
    laps.lap("scalars only: h");
    scalars.make({PointList::kIc, PointList::kL, PointList::kA, PointList::kB}, forget);
    laps.lap("scalars only: the other lists");
  }
  compare(circuit, waste, points, exec);
  laps.lap("comparing");
  if (parameter_file != nullptr) {
    write_parameters(key, points, parameter_file, stream.get(), exec, no_progress());
    laps.lap("writing the file");
    const groth16::MappedParameters file(parameter_file);
    laps.lap("mapping it");
    check(cudaMemset(memory.bytes().data(), 0xa5, memory.bytes().size()), "cudaMemset");
    load_parameters(file, points, stream.get(), exec, no_progress());
    laps.lap("loading it");
    compare(circuit, waste, points, exec);
    laps.lap("comparing");
  }
  time_multiples<G1>("G1", points.h, scratch.bytes(), exec);
  time_multiples<G2>("G2", points.b_g2, scratch.bytes(), exec);
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: setup_cuda_bench circuit-file [parameter-file]\n");
    return 2;
  }
  try {
    proofline::cuda::run(arguments[1], count == 3 ? arguments[2] : nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
