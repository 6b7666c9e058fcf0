#pragma once
/// XYZZ points to affine form with shared inversions.
#include "device/cuda/inversion.cuh"
#include "device/cuda/points.cuh"

namespace proofline::cuda {

/// Points that normalise() takes at a time, and its scratch elements for so many.
constexpr std::uint32_t kNormalised = 1u << 20;
constexpr std::size_t kNormaliseScratch = kNormalised + inversion_scratch(kNormalised);

template <class F>
__global__ void take_zzz(const Xyzz<F>* in, std::uint32_t n, F* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].is_infinity() ? F::one() : in[i].zzz;
}

template <class F>
__global__ void divide_coordinates(const Xyzz<F>* in, std::uint32_t n, const F* inverses, Affine<F>* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const F cube = inverses[i], single = in[i].zz * cube;
  out[i].x = in[i].x * single.square();
  out[i].y = in[i].y * cube;
  if (in[i].is_infinity()) out[i] = Affine<F>::infinity();
}

/// Points in XYZZ form, up to kNormalised at a time, and scratch.
template <class F>
struct NormaliseMemory {
  static constexpr std::size_t kBytes =
      Arena::rounded(kNormalised * sizeof(Xyzz<F>)) + Arena::rounded(kNormaliseScratch * sizeof(F));

  explicit NormaliseMemory(Arena& arena)
      : points(arena.take<Xyzz<F>>(kNormalised).data()), scratch(arena.take<F>(kNormaliseScratch).data()) {}

  Xyzz<F>* points;
  F* scratch;
};

/// The first n <= kNormalised of the points.
template <class F>
void normalise(const NormaliseMemory<F>& memory, std::uint32_t n, Affine<F>* out, Stream stream) {
  F* const scratch = memory.scratch;
  take_zzz<<<blocks_for(n, 128), 128, 0, stream>>>(memory.points, n, scratch);
  check_launch("take_zzz");
  invert(scratch, n, scratch + kNormalised, stream);
  divide_coordinates<<<blocks_for(n, 128), 128, 0, stream>>>(memory.points, n, scratch, out);
  check_launch("divide_coordinates");
}

}  // namespace proofline::cuda
