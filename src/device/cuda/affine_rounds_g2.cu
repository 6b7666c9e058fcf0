#include "device/cuda/affine_rounds.cuh"

namespace proofline::cuda {

template <>
void add_pairs<math::G2Affine>(const math::G2Affine* points, std::span<const PairReference> references,
                               const std::uint32_t* count, std::size_t most_pairs, RoundScratch scratch,
                               math::G2Affine* out, Stream stream) {
  add_pairs_on_device(reinterpret_cast<const Affine<Fp2>*>(points), references, count, most_pairs, scratch,
                      reinterpret_cast<Affine<Fp2>*>(out), stream);
}

}  // namespace proofline::cuda
