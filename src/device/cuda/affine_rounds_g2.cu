#include "device/cuda/affine_rounds.cuh"

namespace proofline::cuda {

template <>
void add_pairs<math::G2Affine>(PointView points, std::span<const PairReference> references, const std::uint32_t* count,
                               std::size_t most_pairs, RoundScratch scratch, PointTarget out, Stream stream) {
  add_pairs_on_device<Fp2>(points, references, count, most_pairs, scratch, out, stream);
}

}  // namespace proofline::cuda
