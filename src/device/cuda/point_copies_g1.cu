#include "device/cuda/point_copies.cuh"

namespace proofline::cuda {

template <>
std::size_t copy_points_device_bytes<math::G1>() {
  return NormaliseMemory<Fp>::kBytes;
}

template <>
void copy_points<math::G1>(const MsmPlan& plan, std::span<math::G1Affine> points, Arena arena, Stream stream) {
  if (points.size() != plan.items()) throw InputError("msm: the plan is for another number of points");
  copy_on_device(plan, reinterpret_cast<Affine<Fp>*>(points.data()), arena, stream);
}

}  // namespace proofline::cuda
