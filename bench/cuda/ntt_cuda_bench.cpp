// Transforms over Fr and the quotient on the device: medians of 5 after a warm-up, by CUDA events, with floors.
// Arguments: smallest and largest log2 of the size (20 and 27).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "device/cuda/ntt.hpp"
#include "device/cuda/polynomial_checks.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;

std::span<Fr> device_array(std::size_t count) {
  Fr* at = nullptr;
  if (cudaMalloc(&at, count * sizeof(Fr)) != cudaSuccess) throw DeviceError("cudaMalloc");
  return {at, count};
}

template <class Work>
double median_ms(const Work& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int i = 0; i < 6; ++i) {
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess) throw DeviceError(cudaGetErrorString(cudaGetLastError()));
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i != 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return double{times[2]};
}

void run(unsigned smallest, unsigned largest) {
  const double rate = products_a_second(nullptr), copy = copied_bytes_a_second(nullptr);
  std::printf("Fr products %.1f G/s, copy %.0f GB/s\n", rate * 1e-9, copy * 1e-9);
  std::printf("floor: n/2 log n products a transform at that rate; quotient: six transforms\n");
  std::printf("%4s %9s %9s %9s %9s %9s %9s %9s | %9s %7s %9s %7s\n", "log", "fwd NN", "inv NN", "coset NN", "cosInv NN",
              "fwd NR", "inv NR", "fwd RN", "quotient", "floor", "share NN", "share q");
  for (unsigned log_size = smallest; log_size <= largest; ++log_size) {
    const std::size_t n = std::size_t{1} << log_size;
    const std::span<Fr> memory = device_array(ntt_table_bytes(log_size) / sizeof(Fr));
    Arena arena(std::as_writable_bytes(memory));
    const NttTables tables = enqueue_ntt_tables(log_size, arena, nullptr);
    const std::span<Fr> a = device_array(n), b = device_array(n), c = device_array(n);
    fill_random(a, 1, nullptr);
    fill_random(b, 2, nullptr);
    fill_random(c, 3, nullptr);
    const auto natural = [&](Transform transform) {
      return median_ms([&] { enqueue_ntt(tables, transform, a, b, nullptr); });
    };
    const double forward = natural(Transform::kForward), inverse = natural(Transform::kInverse);
    const double coset = natural(Transform::kCosetForward), coset_inverse = natural(Transform::kCosetInverse);
    const double to = median_ms([&] { enqueue_ntt_to_reversed(tables, Transform::kForward, a, nullptr); });
    const double inverse_to = median_ms([&] { enqueue_ntt_to_reversed(tables, Transform::kInverse, a, nullptr); });
    const double from = median_ms([&] { enqueue_ntt_from_reversed(tables, Transform::kForward, a, nullptr); });
    const double quotient = median_ms([&] { enqueue_quotient(tables, a, b, c, nullptr); });
    const double floor = static_cast<double>(n) / 2 * log_size / rate * 1e3;
    std::printf("%4u %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f | %9.3f %7.3f %8.0f%% %6.0f%%\n", log_size, forward,
                inverse, coset, coset_inverse, to, inverse_to, from, quotient, floor, 100 * floor / forward,
                100 * 6 * floor / quotient);
    std::fflush(stdout);
    for (const std::span<Fr> array : {memory, a, b, c}) cudaFree(array.data());
  }
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  try {
    proofline::cuda::run(count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 20,
                         count > 2 ? static_cast<unsigned>(std::atoi(arguments[2])) : 27);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
