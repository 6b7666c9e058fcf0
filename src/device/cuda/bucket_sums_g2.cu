#include "device/cuda/bucket_sums.cuh"

namespace proofline::cuda {

template <>
void collect_buckets(const MsmPlan& plan, unsigned s, const BucketLists& lists, PointView points,
                     BucketSumScratch scratch, math::G2Affine* out, Stream stream) {
  collect_on_device(plan, s, lists, points, scratch, reinterpret_cast<Affine<Fp2>*>(out), stream);
}

template <>
void weighted_sums(const MsmPlan& plan, const math::G2Affine* buckets, BucketSumScratch scratch, Stream stream) {
  weighted_sums_on_device(plan, reinterpret_cast<const Affine<Fp2>*>(buckets), scratch, stream);
}

}  // namespace proofline::cuda
