#pragma once
/// Lane arithmetic in Fr: see lanes.hpp. Elements of Fr enter with blst's factor 2^256 and keep it: only
/// the factors they are multiplied with (twiddles, scales) carry R = 2^260.
#include "math/lanes.hpp"
#if PROOFLINE_HAVE_IFMA

#include "math/fr.hpp"

namespace proofline::math {

/// r in five 52-bit limbs; R = 2^260.
struct FrPrime {
  static constexpr unsigned kLimbs = 5;
  static constexpr Limbs52<5> kModulus = {0xfffff00000001, 0x02fffe5bfefff, 0x9a1d80553bda4, 0x7d483339d8080,
                                          0x073eda753299d};
  static constexpr std::uint64_t kInverse = 0xffffeffffffff;
  /// 2^264 modulo r: a product with it takes an element with factor 2^256 to factor 2^260.
  static constexpr Limbs52<5> kToFactor = {0x00234fffffdcb, 0x61039ef635000, 0xdce3c3e2e7505, 0x7fa6f1563642b,
                                           0x0247db575276a};
};

using FrLanes = Lanes<FrPrime>;

/// One element in 52-bit limbs.
using FrLimbs = Limbs52<5>;

/// Eight consecutive elements. Lane order is that of unpack instructions, the same in load and store.
PROOFLINE_IFMA_INLINE FrLanes join(__m512i z0, __m512i z1, __m512i z2, __m512i z3) {
  const __m512i u0 = _mm512_unpacklo_epi64(z0, z1), u1 = _mm512_unpackhi_epi64(z0, z1);
  const __m512i u2 = _mm512_unpacklo_epi64(z2, z3), u3 = _mm512_unpackhi_epi64(z2, z3);
  const __m512i w0 = _mm512_shuffle_i64x2(u0, u2, 0x88), w2 = _mm512_shuffle_i64x2(u0, u2, 0xdd);
  const __m512i w1 = _mm512_shuffle_i64x2(u1, u3, 0x88), w3 = _mm512_shuffle_i64x2(u1, u3, 0xdd);
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(kMask52));
  FrLanes out;
  out.l[0] = _mm512_and_si512(w0, mask);
  out.l[1] = _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w0, 52), _mm512_slli_epi64(w1, 12)), mask);
  out.l[2] = _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w1, 40), _mm512_slli_epi64(w2, 24)), mask);
  out.l[3] = _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w2, 28), _mm512_slli_epi64(w3, 36)), mask);
  out.l[4] = _mm512_srli_epi64(w3, 16);
  return out;
}

/// The inverse of join().
PROOFLINE_IFMA_INLINE void split(const FrLanes& a, __m512i (&z)[4]) {
  const __m512i w0 = _mm512_or_si512(a.l[0], _mm512_slli_epi64(a.l[1], 52));
  const __m512i w1 = _mm512_or_si512(_mm512_srli_epi64(a.l[1], 12), _mm512_slli_epi64(a.l[2], 40));
  const __m512i w2 = _mm512_or_si512(_mm512_srli_epi64(a.l[2], 24), _mm512_slli_epi64(a.l[3], 28));
  const __m512i w3 = _mm512_or_si512(_mm512_srli_epi64(a.l[3], 36), _mm512_slli_epi64(a.l[4], 16));
  // Interleave the 128-bit parts: [even.0, odd.0, even.1, odd.1] and the same of parts 2 and 3.
  const __m512i low02 = _mm512_shuffle_i64x2(w0, w2, 0x44), high02 = _mm512_shuffle_i64x2(w0, w2, 0xee);
  const __m512i low13 = _mm512_shuffle_i64x2(w1, w3, 0x44), high13 = _mm512_shuffle_i64x2(w1, w3, 0xee);
  const __m512i u0 = _mm512_shuffle_i64x2(low02, low02, 0xd8), u2 = _mm512_shuffle_i64x2(high02, high02, 0xd8);
  const __m512i u1 = _mm512_shuffle_i64x2(low13, low13, 0xd8), u3 = _mm512_shuffle_i64x2(high13, high13, 0xd8);
  z[0] = _mm512_unpacklo_epi64(u0, u1);
  z[1] = _mm512_unpackhi_epi64(u0, u1);
  z[2] = _mm512_unpacklo_epi64(u2, u3);
  z[3] = _mm512_unpackhi_epi64(u2, u3);
}

/// Elements at[0], at[stride], ..., at[7 stride].
PROOFLINE_IFMA_INLINE FrLanes load(const Fr* at, std::size_t stride) {
  __m512i z[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 2 * i * stride));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + (2 * i + 1) * stride));
    z[i] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  return join(z[0], z[1], z[2], z[3]);
}

PROOFLINE_IFMA_INLINE void store(const FrLanes& a, Fr* at, std::size_t stride) {
  __m512i z[4];
  split(a, z);
  for (std::size_t i = 0; i < 4; ++i) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + 2 * i * stride), _mm512_castsi512_si256(z[i]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + (2 * i + 1) * stride), _mm512_extracti64x4_epi64(z[i], 1));
  }
}

/// Eight elements as factors.
PROOFLINE_IFMA_INLINE FrLanes load_factors(const Fr* at, std::size_t stride) {
  return multiply(load(at, stride), broadcast<FrPrime>(FrPrime::kToFactor));
}

/// Eight elements in memory, limb by limb.
struct alignas(64) FrLaneRow {
  std::uint64_t words[FrPrime::kLimbs * 8];
};

PROOFLINE_IFMA_INLINE FrLanes get(const FrLaneRow& row) {
  FrLanes out;
  for (unsigned i = 0; i < FrPrime::kLimbs; ++i) out.l[i] = _mm512_load_si512(row.words + 8 * i);
  return out;
}

PROOFLINE_IFMA_INLINE void put(FrLaneRow& row, const FrLanes& value) {
  for (unsigned i = 0; i < FrPrime::kLimbs; ++i) _mm512_store_si512(row.words + 8 * i, value.l[i]);
}

/// One element as a factor, below p, for broadcast().
PROOFLINE_IFMA inline FrLimbs as_factor(const Fr& value) {
  const std::array<Fr, 8> copies = {value, value, value, value, value, value, value, value};
  FrLanes lanes = load_factors(copies.data(), 1);
  reduce_fully(lanes);
  FrLaneRow row;
  put(row, lanes);
  FrLimbs out;
  for (unsigned i = 0; i < FrPrime::kLimbs; ++i) out[i] = row.words[8 * i];
  return out;
}

}  // namespace proofline::math

#endif
