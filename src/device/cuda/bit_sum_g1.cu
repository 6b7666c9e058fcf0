#include "device/cuda/bit_sum.cuh"

namespace proofline::cuda {

template <>
std::size_t bit_sum_device_bytes<math::G1>(std::size_t points) {
  return BitSumMemory<Fp>(points, nullptr).bytes;
}

template <>
void enqueue_bit_sum<math::G1>(std::span<const math::G1Affine> points, std::span<const std::uint32_t> bits, Arena arena,
                               std::span<std::byte> sum, Stream stream) {
  bit_sum_on_device<math::G1, Fp>(points, bits, arena, sum, stream);
}

}  // namespace proofline::cuda
