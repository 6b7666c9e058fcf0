#pragma once
/// The kernels of copy_points(). Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/msm.hpp"
#include "device/cuda/normalise.cuh"

namespace proofline::cuda {

template <class F>
__global__ void double_often(const Affine<F>* in, std::uint32_t n, unsigned times, Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Xyzz<F> p = Xyzz<F>::from(in[i]);
#pragma unroll 1
  for (unsigned t = 0; t < times; ++t) double_at(&p);
  out[i] = p;
}

template <class F>
void copy_on_device(const MsmPlan& plan, Affine<F>* points, Arena arena, Stream stream) {
  const NormaliseMemory<F> memory(arena);
  const std::size_t all = plan.points * (plan.copies - 1);
  for (std::size_t done = 0; done < all; done += kNormalised) {
    const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(kNormalised, all - done));
    // A piece may need what the one before it made, never what it makes itself, if there are at least n points.
    for (std::uint32_t at = 0; at < n;) {
      const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(n - at, plan.points));
      double_often<<<blocks_for(part, 128), 128, 0, stream>>>(points + done + at, part, plan.copy_bits, memory.points);
      check_launch("double_often");
      normalise(memory, part, points + plan.points + done + at, stream);
      at += part;
    }
  }
}

}  // namespace proofline::cuda
