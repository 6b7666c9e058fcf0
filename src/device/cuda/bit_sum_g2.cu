#include "device/cuda/bit_sum.cuh"

namespace proofline::cuda {

template <>
std::size_t bit_sum_device_bytes<math::G2>(std::size_t points, unsigned group) {
  check_group(group);
  return bit_sum_bytes<Fp2>(points, group);
}

template <>
void enqueue_bit_sum<math::G2>(std::span<const math::G2Affine> groups, std::size_t points, unsigned group,
                               std::span<const std::uint32_t> bits, Arena arena, std::span<std::byte> sum,
                               Stream stream) {
  bit_sum_on_device<math::G2, Fp2>(groups, points, group, bits, arena, sum, stream);
}

template <>
std::size_t group_points_device_bytes<math::G2>() {
  return NormaliseMemory<Fp2>::kBytes;
}

template <>
void group_points<math::G2>(std::span<const math::G2Affine> points, unsigned group, std::span<math::G2Affine> out,
                            Arena arena, Stream stream) {
  group_on_device<math::G2, Fp2>(points, group, out, arena, stream);
}

}  // namespace proofline::cuda
