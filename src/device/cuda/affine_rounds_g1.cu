#include "device/cuda/affine_rounds.cuh"

namespace proofline::cuda {

template <>
void add_pairs<math::G1Affine>(const math::G1Affine* points, std::span<const PairReference> references,
                               const std::uint32_t* count, std::size_t most_pairs, RoundScratch scratch,
                               math::G1Affine* out, Stream stream) {
  add_pairs_on_device(reinterpret_cast<const Affine<Fp>*>(points), references, count, most_pairs, scratch,
                      reinterpret_cast<Affine<Fp>*>(out), stream);
}

}  // namespace proofline::cuda
