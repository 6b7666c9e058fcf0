#include "device/cuda/fixed_base.cuh"

namespace proofline::cuda {

template <>
std::size_t fixed_base_device_bytes<math::G1>() {
  return NormaliseMemory<Fp>::kBytes;
}

template <>
void enqueue_multiples<math::G1>(std::span<const math::G1Affine> table, std::span<const math::Fr> scalars,
                                 std::span<math::G1Affine> out, Arena arena, Stream stream) {
  multiples_on_device<Fp>(device_form<const Affine<Fp>>(table), device_form<const Fr>(scalars),
                          device_form<Affine<Fp>>(out), arena, stream);
}

}  // namespace proofline::cuda
