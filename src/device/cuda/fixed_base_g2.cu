#include "device/cuda/fixed_base.cuh"

namespace proofline::cuda {

template <>
std::size_t fixed_base_device_bytes<math::G2>() {
  return NormaliseMemory<Fp2>::kBytes;
}

template <>
void enqueue_multiples<math::G2>(std::span<const math::G2Affine> table, std::span<const math::Fr> scalars,
                                 std::span<math::G2Affine> out, Arena arena, Stream stream) {
  multiples_on_device<Fp2>(device_form<const Affine<Fp2>>(table), device_form<const Fr>(scalars),
                           device_form<Affine<Fp2>>(out), arena, stream);
}

}  // namespace proofline::cuda
