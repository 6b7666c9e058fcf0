#include "device/cuda/affine_rounds.hpp"

namespace proofline::cuda {

RoundScratch::Sizes RoundScratch::sizes(std::size_t pairs, std::size_t element) {
  // A thread adds at least 8 pairs, and a block of them is started in full.
  const std::size_t threads = std::max<std::size_t>(pairs / 32, std::min(pairs, std::size_t{1} << 18) + 1) + (std::size_t{1} << 18);
  return {.before = pairs * element,
          .products = threads * element,
          .inversion = (threads + threads / 8 + 8192) * element};
}

}  // namespace proofline::cuda
