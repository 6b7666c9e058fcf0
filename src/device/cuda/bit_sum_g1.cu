#include "device/cuda/bit_sum.cuh"

namespace proofline::cuda {

template <>
std::size_t bit_sum_device_bytes<math::G1>(std::size_t points, unsigned group) {
  check_group(group);
  return bit_sum_bytes<Fp>(points, group);
}

template <>
void enqueue_bit_sum<math::G1>(std::span<const math::G1Affine> groups, std::size_t points, unsigned group,
                               std::span<const std::uint32_t> bits, Arena arena, std::span<std::byte> sum,
                               Stream stream) {
  bit_sum_on_device<math::G1, Fp>(groups, points, group, bits, arena, sum, stream);
}

template <>
std::size_t group_points_device_bytes<math::G1>() {
  return NormaliseMemory<Fp>::kBytes;
}

template <>
void group_points<math::G1>(std::span<const math::G1Affine> points, unsigned group, std::span<math::G1Affine> out,
                            Arena arena, Stream stream) {
  group_on_device<math::G1, Fp>(points, group, out, arena, stream);
}

}  // namespace proofline::cuda
