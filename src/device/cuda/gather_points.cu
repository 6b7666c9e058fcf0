#include "device/cuda/check.cuh"
#include "device/cuda/gather_points.hpp"

namespace proofline::cuda {
namespace {

/// A thread moves 16 bytes; `width` of them make a point.
__global__ void gather(const uint4* from, const std::uint32_t* places, std::uint32_t width, std::uint64_t count,
                       uint4* to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[std::uint64_t{places[i / width]} * width + i % width];
}

template <class Affine>
void enqueue(std::span<const Affine> points, std::span<const std::uint32_t> places, std::span<Affine> out,
             Stream stream) {
  static_assert(sizeof(Affine) % sizeof(uint4) == 0);
  if (out.size() < places.size()) throw InputError("gathering of points: too little room");
  if (places.empty()) return;
  constexpr std::uint32_t width = sizeof(Affine) / sizeof(uint4);
  const std::uint64_t count = width * places.size();
  gather<<<blocks_for(count, 256), 256, 0, stream>>>(reinterpret_cast<const uint4*>(points.data()), places.data(),
                                                     width, count, reinterpret_cast<uint4*>(out.data()));
  check_launch("gathering of points");
}

}  // namespace

void gather_points(std::span<const math::G1Affine> points, std::span<const std::uint32_t> places,
                   std::span<math::G1Affine> out, Stream stream) {
  enqueue(points, places, out, stream);
}
void gather_points(std::span<const math::G2Affine> points, std::span<const std::uint32_t> places,
                   std::span<math::G2Affine> out, Stream stream) {
  enqueue(points, places, out, stream);
}

}  // namespace proofline::cuda
