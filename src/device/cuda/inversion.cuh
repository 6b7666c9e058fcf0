#pragma once
/// Many inverses with few inversions (Montgomery's trick).
#include "device/cuda/check.cuh"
#include "device/cuda/fields.cuh"

namespace proofline::cuda {

/// Elements that a thread inverts with one inversion.
constexpr unsigned kInversions = 16;
constexpr std::uint32_t kSingleInversions = 4096;

template <class F>
__global__ void inversion_products(const F* values, std::uint32_t n, std::uint32_t threads, F* before, F* products) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  F product = F::one();
#pragma unroll 1
  for (std::uint32_t i = t; i < n; i += threads) {
    before[i] = product;
    product = product * values[i];
  }
  products[t] = product;
}

template <class F>
__global__ void single_inversions(F* values, std::uint32_t n) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) values[t] = values[t].inverse();
}

template <class F>
__global__ void spread_inverses(F* values, std::uint32_t n, std::uint32_t threads, const F* before, const F* inverses) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads || t >= n) return;
  F inverse = inverses[t];
#pragma unroll 1
  for (std::uint32_t i = t + (n - 1 - t) / threads * threads;; i -= threads) {
    const F value = values[i];
    values[i] = inverse * before[i];
    inverse = inverse * value;
    if (i < threads) break;
  }
}

/// Elements of scratch that invert() needs.
constexpr std::size_t inversion_scratch(std::size_t n) {
  return n + n / 8 + 4096;
}

/// Replaces n nonzero values by their inverses.
template <class F>
void invert(F* values, std::uint32_t n, F* scratch, Stream stream) {
  if (n <= kSingleInversions) {
    single_inversions<<<blocks_for(n, 32), 32, 0, stream>>>(values, n);
    return check_launch("single_inversions");
  }
  const std::uint32_t threads = (n + kInversions - 1) / kInversions;
  F* const before = scratch;
  F* const products = scratch + n;
  inversion_products<<<blocks_for(threads, 128), 128, 0, stream>>>(values, n, threads, before, products);
  check_launch("inversion_products");
  invert(products, threads, products + threads, stream);
  spread_inverses<<<blocks_for(threads, 128), 128, 0, stream>>>(values, n, threads, before, products);
  check_launch("spread_inverses");
}

}  // namespace proofline::cuda
