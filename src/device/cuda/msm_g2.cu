#include "device/cuda/msm.cuh"

namespace proofline::cuda {

template <>
std::size_t msm_device_bytes<math::G2>(const MsmPlan& plan) {
  return MsmMemory<Fp2>(plan, nullptr).bytes;
}

template <>
void enqueue_msm<math::G2>(const MsmPlan& plan, std::span<const math::G2Affine> points,
                          std::span<const math::Fr> scalars, Arena arena, std::span<std::byte> window_sums,
                          Stream stream) {
  static_assert(sizeof(Affine<Fp2>) == sizeof(math::G2Affine) && sizeof(Fr) == sizeof(math::Fr));
  if (points.size() != plan.points || scalars.size() != plan.points) {
    throw InputError("msm: the plan is for another number of points");
  }
  add_all(plan, reinterpret_cast<const Affine<Fp2>*>(points.data()), reinterpret_cast<const Fr*>(scalars.data()), arena,
          window_sums, stream);
}

}  // namespace proofline::cuda
