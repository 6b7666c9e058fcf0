#pragma once
/// Random points and scalars made on the device such that the host knows every discrete logarithm: any sum of any size
/// can be checked. For benchmarks and tests.
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "device/cuda/normalise.cuh"
#include "math/curve.hpp"

namespace proofline::cuda {

__host__ __device__ inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr unsigned kTables = 5, kTableBits = 12;
/// Of point i: 60 random bits.
__host__ __device__ inline std::uint64_t logarithm(std::uint64_t i) {
  return mixed(i) >> 4;
}

/// Scalar i of this seed, uniform below r but for 2^-60; in Montgomery form.
__host__ __device__ inline void random_scalar(std::uint64_t seed, std::uint64_t i, std::uint64_t (&out)[4]) {
  constexpr std::uint64_t r[4] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48};
  for (unsigned j = 0; j < 4; ++j) out[j] = mixed(mixed(seed + 4 * i + j));
  out[3] >>= 1;
  bool below = false;
  for (int j = 3; j >= 0; --j) {
    if (out[j] != r[j]) {
      below = out[j] < r[j];
      break;
    }
  }
  if (below) return;
  std::uint64_t borrow = 0;
  for (int j = 0; j < 4; ++j) {
    const std::uint64_t difference = out[j] - r[j] - borrow;
    borrow = out[j] < r[j] || (out[j] == r[j] && borrow != 0) ? 1 : 0;
    out[j] = difference;
  }
}

template <class F>
__global__ void add_table_points(const Affine<F>* table, std::uint64_t first, std::uint32_t n, Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t k = logarithm(first + i);
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (unsigned t = 0; t < kTables; ++t) {
    const Xyzz<F> point = Xyzz<F>::from(table[t << kTableBits | (k >> t * kTableBits & ((1u << kTableBits) - 1))]);
    add_at(&sum, &point);
  }
  out[i] = sum;
}

static __global__ void make_scalars(std::uint64_t seed, std::uint32_t n, std::uint64_t* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  std::uint64_t s[4];
  random_scalar(seed, i, s);
  for (unsigned j = 0; j < 4; ++j) out[std::size_t{4} * i + j] = s[j];
}

/// out[i] = logarithm(i) * generator. Waits for the device.
template <class Point, class F>
void make_points(typename Point::Affine* out, std::size_t n) {
  std::vector<typename Point::Affine> table(std::size_t{kTables} << kTableBits);
  Point base = Point::generator();
  for (unsigned t = 0; t < kTables; ++t) {
    Point sum;
    for (unsigned d = 0; d < 1u << kTableBits; ++d, sum += base) table[t << kTableBits | d] = sum.to_affine();
    base = sum;
  }
  typename Point::Affine* on_device = nullptr;
  std::byte* room = nullptr;
  check(cudaMalloc(&on_device, table.size() * sizeof table[0]), "table");
  check(cudaMalloc(&room, NormaliseMemory<F>::kBytes), "sums");
  Arena arena({room, NormaliseMemory<F>::kBytes});
  const NormaliseMemory<F> memory(arena);
  check(cudaMemcpy(on_device, table.data(), table.size() * sizeof table[0], cudaMemcpyHostToDevice), "table");
  for (std::size_t done = 0; done < n; done += kNormalised) {
    const auto now = static_cast<std::uint32_t>(std::min<std::size_t>(kNormalised, n - done));
    add_table_points<F>
        <<<blocks_for(now, 128), 128>>>(reinterpret_cast<Affine<F>*>(on_device), done, now, memory.points);
    check_launch("add_table_points");
    normalise(memory, now, reinterpret_cast<Affine<F>*>(out) + done, nullptr);
  }
  check(cudaDeviceSynchronize(), "making points");
  check(cudaFree(on_device), "table");
  check(cudaFree(room), "sums");
}

/// The sum over i < n of logarithm(i) * term(i).
template <class Term>
math::Fr sum_of_logarithms(std::size_t n, Term term) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<math::Fr> sums(threads);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      math::Fr sum;
      // Taken as a Montgomery form, the integer stands for itself over 2^256.
      for (std::size_t i = t; i < n; i += threads) sum += math::Fr::from_montgomery({logarithm(i), 0, 0, 0}) * term(i);
      sums[t] = sum;
    });
  }
  for (std::thread& thread : running) thread.join();
  math::Fr total;
  for (const math::Fr& sum : sums) total += sum;
  return total * math::Fr::power_of_two(128) * math::Fr::power_of_two(128);
}

}  // namespace proofline::cuda
