#pragma once
/// Lane arithmetic in Fp and Fp2: see lanes.hpp.
#include "math/lanes.hpp"
#if PROOFLINE_HAVE_IFMA

#include <span>

#include "math/fp.hpp"

namespace proofline::math {

/// p in eight 52-bit limbs; R = 2^416.
struct FpPrime {
  static constexpr unsigned kLimbs = 8;
  static constexpr Limbs52<8> kModulus = {0xeffffffffaaab, 0xfeb153ffffb9f, 0x6b0f6241eabff, 0x12bf6730d2a0f,
                                          0x764774b84f385, 0x1ba7b6434bacd, 0x1ea397fe69a4b, 0x000000001a011};
  static constexpr std::uint64_t kInverse = 0x3fffcfffcfffd;
  /// 2^448 and 2^384 modulo p: a product with the first takes blst's Montgomery form (R = 2^384) to this
  /// one, with the second back.
  static constexpr Limbs52<8> kFromBlst = {0x7fde37dba9366, 0x4e27525bc342b, 0x1f5b1e9778489, 0xb872b2b91b9dc,
                                           0xb206f497dfcaf, 0x4137cc89a9b0b, 0xd9d20d7e39959, 0x000000000411c};
  static constexpr Limbs52<8> kToBlst = {0x900000002fffd, 0x0bc40c0002760, 0x3c758baebf400, 0x57455f4898575,
                                         0xd77ce58537052, 0x071a97a256ec6, 0xec3fa80e4935c, 0x0000000015f65};
  /// R^2 modulo p: a product with it takes a plain number to Montgomery form.
  static constexpr Limbs52<8> kSquareOfR = {0xa5bf4cb89af51, 0x3afbba7ca31a2, 0x2646160ec71f1, 0xa84d710465903,
                                            0x3480a4a188311, 0x98e5907ad91f5, 0x2075d74507266, 0x0000000008746};
  /// R modulo p: one.
  static constexpr Limbs52<8> kOne = {0x6480ea8e9b9af, 0x65766c8fe444f, 0x8b540fea96f7d, 0x3b2ee82efd422,
                                      0xa6723e5f0ade5, 0xff6eb6fdd4230, 0xe06ef23c24a25, 0x0000000014c8e};
};

using FpLanes = Lanes<FpPrime>;

/// Eight elements c0 + c1 u of Fp2, u^2 = -1.
struct Fp2Lanes {
  FpLanes c0, c1;
};

/// One element, its limbs in order: what is kept in memory.
struct alignas(64) FpRow {
  std::uint64_t limbs[8];
};

PROOFLINE_IFMA_INLINE FpLanes load_rows(const FpRow* const (&rows)[8]) {
  FpLanes out;
#pragma GCC unroll 9
  for (int i = 0; i < 8; ++i) out.l[i] = _mm512_load_si512(rows[i]->limbs);
  transpose(out.l);
  return out;
}

PROOFLINE_IFMA_INLINE void store_rows(FpLanes value, FpRow* const (&rows)[8]) {
  transpose(value.l);
#pragma GCC unroll 9
  for (int i = 0; i < 8; ++i) _mm512_store_si512(rows[i]->limbs, value.l[i]);
}

PROOFLINE_IFMA_INLINE Fp2Lanes multiply(const Fp2Lanes& a, const Fp2Lanes& b) {
  const FpLanes low = multiply(a.c0, b.c0);
  const FpLanes high = multiply(a.c1, b.c1);
  const FpLanes cross = multiply(add_lazy(a.c0, a.c1), add_lazy(b.c0, b.c1));
  return {subtract(low, high), subtract_two(cross, low, high)};
}

/// For elements below 2p.
PROOFLINE_IFMA_INLINE Fp2Lanes square(const Fp2Lanes& a) {
  const FpLanes product = multiply(a.c0, a.c1);
  return {multiply(add_lazy(a.c0, a.c1), subtract_lazy(a.c0, a.c1)), add(product, product)};
}

PROOFLINE_IFMA_INLINE Fp2Lanes add_lazy(const Fp2Lanes& a, const Fp2Lanes& b) {
  return {add_lazy(a.c0, b.c0), add_lazy(a.c1, b.c1)};
}

PROOFLINE_IFMA_INLINE Fp2Lanes add(const Fp2Lanes& a, const Fp2Lanes& b) {
  return {add(a.c0, b.c0), add(a.c1, b.c1)};
}

PROOFLINE_IFMA_INLINE Fp2Lanes subtract_lazy(const Fp2Lanes& a, const Fp2Lanes& b) {
  return {subtract_lazy(a.c0, b.c0), subtract_lazy(a.c1, b.c1)};
}

PROOFLINE_IFMA_INLINE Fp2Lanes subtract(const Fp2Lanes& a, const Fp2Lanes& b) {
  return {subtract(a.c0, b.c0), subtract(a.c1, b.c1)};
}

PROOFLINE_IFMA_INLINE Fp2Lanes subtract_two(const Fp2Lanes& a, const Fp2Lanes& b, const Fp2Lanes& c) {
  return {subtract_two(a.c0, b.c0, c.c0), subtract_two(a.c1, b.c1, c.c1)};
}

/// The lanes that are zero modulo p; elements below 8p, carried.
PROOFLINE_IFMA_INLINE __mmask8 zeros(const FpLanes& a) {
  FpLanes value = multiply(a, broadcast<FpPrime>(FpPrime::kOne));
  reduce_fully(value);
  __m512i any = value.l[0];
#pragma GCC unroll 9
  for (unsigned i = 1; i < 8; ++i) any = _mm512_or_si512(any, value.l[i]);
  return _mm512_testn_epi64_mask(any, any);
}
PROOFLINE_IFMA_INLINE __mmask8 zeros(const Fp2Lanes& a) {
  return static_cast<__mmask8>(zeros(a.c0) & zeros(a.c1));
}

/// `b` in the lanes of `mask`, `a` in the others.
PROOFLINE_IFMA_INLINE FpLanes blend(__mmask8 mask, const FpLanes& a, const FpLanes& b) {
  FpLanes out;
#pragma GCC unroll 9
  for (unsigned i = 0; i < 8; ++i) out.l[i] = _mm512_mask_blend_epi64(mask, a.l[i], b.l[i]);
  return out;
}
PROOFLINE_IFMA_INLINE Fp2Lanes blend(__mmask8 mask, const Fp2Lanes& a, const Fp2Lanes& b) {
  return {blend(mask, a.c0, b.c0), blend(mask, a.c1, b.c1)};
}

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

/// The way back, for values below p.
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

/// Between blst's form and rows; blst's values and the results of to_blst are below p, rows below 2p.
PROOFLINE_IFMA void from_blst(std::span<const blst_fp> in, std::span<FpRow> out);
PROOFLINE_IFMA void to_blst(std::span<const FpRow> in, std::span<blst_fp> out);

}  // namespace proofline::math

#endif
