#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "device/cuda/check.cuh"
#include "device/cuda/fields.cuh"
#include "device/cuda/polynomial_checks.hpp"

namespace proofline::cuda {
namespace {

constexpr unsigned kThreads = 256;

Fr to_device(const math::Fr& value) {
  Fr out;
  std::memcpy(&out, &value, sizeof(out));
  return out;
}
const Fr* on_device(const math::Fr* at) {
  return reinterpret_cast<const Fr*>(at);
}

__device__ Fr power(Fr base, std::uint64_t exponent) {
  Fr out = Fr::one();
  for (; exponent != 0; exponent >>= 1, base = base * base)
    if ((exponent & 1) != 0) out = out * base;
  return out;
}
__device__ std::uint64_t index_of(std::uint64_t i, unsigned bits, bool reversed) {
  return reversed && bits != 0 ? __brevll(i) >> (64 - bits) : i;
}

__global__ void random_values(Fr* out, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Fr value;
  for (unsigned limb = 0; limb < 8; ++limb) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15 * (8 * i + limb + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    value.l[limb] = static_cast<std::uint32_t>(z >> 32);
  }
  value.l[7] &= 0x3fffffff;
  out[i] = value;
}

/// out[thread] = sum over the thread's chunk of values[i] * tau^i
__global__ void coefficient_sums(const Fr* values, std::uint64_t count, unsigned bits, Fr tau, bool reversed, Fr* out,
                                 std::uint64_t chunk) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Fr sum = Fr::zero();
  for (std::uint64_t i = min((t + 1) * chunk, count); i-- > t * chunk;)
    sum = sum * tau + values[index_of(i, bits, reversed)];
  out[t] = sum * power(tau, t * chunk);
}

/// out[thread] = sum over the thread's chunk of values[i] * x_i / (tau - x_i), x_i = shift * omega^i
__global__ void value_sums(const Fr* values, std::uint64_t count, unsigned bits, Fr omega, Fr shift, Fr tau,
                           bool reversed, Fr* out, std::uint64_t chunk) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Fr sum = Fr::zero();
  Fr x = shift * power(omega, t * chunk);
  for (std::uint64_t i = t * chunk; i < min((t + 1) * chunk, count); ++i, x = x * omega)
    sum = sum + values[index_of(i, bits, reversed)] * x * (tau - x).inverse();
  out[t] = sum;
}

template <class Launch>
math::Fr total(std::uint64_t count, Stream stream, const Launch& launch) {
  const std::uint64_t blocks = std::clamp<std::uint64_t>(count / kThreads / 64, 1, 4096);
  const std::uint64_t threads = blocks * kThreads, chunk = (count + threads - 1) / threads;
  math::Fr* sums = nullptr;
  check(cudaMallocAsync(&sums, threads * sizeof(math::Fr), stream), "cudaMallocAsync");
  launch(static_cast<unsigned>(blocks), reinterpret_cast<Fr*>(sums), chunk);
  check_launch("sums");
  std::vector<math::Fr> host(threads);
  check(cudaMemcpyAsync(host.data(), sums, threads * sizeof(math::Fr), cudaMemcpyDefault, stream), "copy");
  check(cudaFreeAsync(sums, stream), "cudaFreeAsync");
  check(cudaStreamSynchronize(stream), "sums");
  math::Fr out;
  for (const math::Fr& value : host) out += value;
  return out;
}

__global__ void __launch_bounds__(256) product_chains(Fr* values, unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Fr x = values[i];
  const Fr y = values[i ^ 1];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) x = x * y;
  values[i] = x;
}

template <class Work>
double best_seconds(Stream stream, const Work& work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  double best = 1e9;
  for (int i = 0; i < 6; ++i) {
    check(cudaEventRecord(begin, stream), "event");
    work();
    check(cudaEventRecord(end, stream), "event");
    check(cudaEventSynchronize(end), "event");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    if (i != 0) best = std::min(best, double{ms} * 1e-3);
  }
  return best;
}

}  // namespace

void fill_random(std::span<math::Fr> out, std::uint64_t seed, Stream stream) {
  random_values<<<static_cast<unsigned>((out.size() + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      reinterpret_cast<Fr*>(out.data()), out.size(), seed);
  check_launch("random_values");
}

math::Fr at_point(std::span<const math::Fr> coefficients, const math::Fr& tau, bool reversed, Stream stream) {
  const auto bits = static_cast<unsigned>(std::bit_width(coefficients.size()) - 1);
  return total(coefficients.size(), stream, [&](unsigned blocks, Fr* sums, std::uint64_t chunk) {
    coefficient_sums<<<blocks, kThreads, 0, stream>>>(on_device(coefficients.data()), coefficients.size(), bits,
                                                      to_device(tau), reversed, sums, chunk);
  });
}

math::Fr at_point_by_values(std::span<const math::Fr> values, const math::Fr& omega, const math::Fr& shift,
                            const math::Fr& tau, bool reversed, Stream stream) {
  const auto bits = static_cast<unsigned>(std::bit_width(values.size()) - 1);
  const math::Fr sum = total(values.size(), stream, [&](unsigned blocks, Fr* sums, std::uint64_t chunk) {
    value_sums<<<blocks, kThreads, 0, stream>>>(on_device(values.data()), values.size(), bits, to_device(omega),
                                                to_device(shift), to_device(tau), reversed, sums, chunk);
  });
  // p(tau) = (tau^n - s^n) / (n s^n) * sum of p(x_i) x_i / (tau - x_i)
  const math::Fr s = shift.pow(values.size());
  return sum * (tau.pow(values.size()) - s) * (s * math::Fr::from_u64(values.size())).inverse();
}

double products_a_second(Stream stream) {
  constexpr unsigned kBlocks = 132 * 8 * 4, kRounds = 2000;
  constexpr std::size_t kCount = std::size_t{kBlocks} * 256;
  math::Fr* values = nullptr;
  check(cudaMallocAsync(&values, kCount * sizeof(math::Fr), stream), "cudaMallocAsync");
  fill_random({values, kCount}, 7, stream);
  const double seconds = best_seconds(
      stream, [&] { product_chains<<<kBlocks, 256, 0, stream>>>(reinterpret_cast<Fr*>(values), kRounds); });
  check_launch("product_chains");
  check(cudaFreeAsync(values, stream), "cudaFreeAsync");
  return static_cast<double>(kCount) * kRounds / seconds;
}

double copied_bytes_a_second(Stream stream) {
  constexpr std::size_t kBytes = std::size_t{4} << 30;
  std::byte *from = nullptr, *to = nullptr;
  check(cudaMallocAsync(&from, kBytes, stream), "cudaMallocAsync");
  check(cudaMallocAsync(&to, kBytes, stream), "cudaMallocAsync");
  fill_random({reinterpret_cast<math::Fr*>(from), kBytes / sizeof(math::Fr)}, 3, stream);
  const double seconds =
      best_seconds(stream, [&] { check(cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDeviceToDevice, stream), "copy"); });
  check(cudaFreeAsync(from, stream), "cudaFreeAsync");
  check(cudaFreeAsync(to, stream), "cudaFreeAsync");
  return 2 * static_cast<double>(kBytes) / seconds;
}

}  // namespace proofline::cuda
