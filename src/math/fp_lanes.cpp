#include "math/fp_lanes.hpp"

#if PROOFLINE_HAVE_IFMA

#include <algorithm>

namespace proofline::math {
namespace {

/// Eight numbers of six 64-bit limbs, one after another, cut into 52-bit limbs. Lanes outside `lanes` are zero.
PROOFLINE_IFMA_INLINE FpLanes load_64_bits(const blst_fp* at, std::size_t lanes) {
  __m512i w[8];
  for (std::size_t i = 0; i < 8; ++i)
    w[i] = i < lanes ? _mm512_maskz_loadu_epi64(0x3f, at[i].l) : _mm512_setzero_si512();
  transpose(w);
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(kMask52));
  FpLanes out;
  out.l[0] = _mm512_and_si512(w[0], mask);
  for (unsigned i = 1; i < 8; ++i) {
    const unsigned word = 52 * i / 64, bit = 52 * i % 64;
    __m512i limb = _mm512_srli_epi64(w[word], bit);
    if (bit > 12) limb = _mm512_or_si512(limb, _mm512_slli_epi64(w[word + 1], 64 - bit));
    out.l[i] = _mm512_and_si512(limb, mask);
  }
  return out;
}

PROOFLINE_IFMA_INLINE void store_64_bits(const FpLanes& value, blst_fp* at, std::size_t lanes) {
  __m512i w[8];
  for (unsigned word = 0; word < 6; ++word) {
    // Limb i starts at bit 52 i; a word meets two or three limbs.
    const unsigned first = 64 * word / 52, bit = 64 * word % 52;
    w[word] = _mm512_or_si512(_mm512_srli_epi64(value.l[first], bit), _mm512_slli_epi64(value.l[first + 1], 52 - bit));
    if (bit > 40) w[word] = _mm512_or_si512(w[word], _mm512_slli_epi64(value.l[first + 2], 104 - bit));
  }
  w[6] = w[7] = _mm512_setzero_si512();
  transpose(w);
  for (std::size_t i = 0; i < lanes; ++i) _mm512_mask_storeu_epi64(at[i].l, 0x3f, w[i]);
}

}  // namespace

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
