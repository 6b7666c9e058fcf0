#pragma once
/// Sums over the threads of a block.
#include "device/cuda/points.cuh"

namespace proofline::cuda {

/// The sum of one point a thread, in shared[0]. blockDim.x is a power of two.
template <class F>
__device__ void add_over_block(Xyzz<F>* shared) {
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add_at(&shared[threadIdx.x], &shared[threadIdx.x + half]);
  }
  __syncthreads();
}

}  // namespace proofline::cuda
