#include "math/fp_lanes.hpp"

#if PROOFLINE_HAVE_IFMA

#include <algorithm>

namespace proofline::math {
PROOFLINE_IFMA void from_blst(std::span<const blst_fp> in, std::span<FpRow> out) {
  const FpLanes factor = broadcast<FpPrime>(FpPrime::kFromBlst);
  for (std::size_t begin = 0; begin < in.size(); begin += 8) {
    const std::size_t count = std::min<std::size_t>(8, in.size() - begin);
    FpLanes value = multiply(load_64_bits(&in[begin], count), factor);
    transpose(value.l);
    for (std::size_t i = 0; i < count; ++i) _mm512_store_si512(out[begin + i].limbs, value.l[i]);
  }
}

PROOFLINE_IFMA void to_blst(std::span<const FpRow> in, std::span<blst_fp> out) {
  const FpLanes factor = broadcast<FpPrime>(FpPrime::kToBlst);
  for (std::size_t begin = 0; begin < in.size(); begin += 8) {
    const std::size_t count = std::min<std::size_t>(8, in.size() - begin);
    FpLanes value;
    for (std::size_t i = 0; i < 8; ++i)
      value.l[i] = i < count ? _mm512_load_si512(in[begin + i].limbs) : _mm512_setzero_si512();
    transpose(value.l);
    value = multiply(value, factor);
    reduce_fully(value);
    store_64_bits(value, &out[begin], count);
  }
}

}  // namespace proofline::math

#endif
