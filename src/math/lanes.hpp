#pragma once
/// Eight field elements side by side in AVX-512 registers: limb i of all eight in one register, 52 bits a
/// limb, Montgomery form with R = 2^(52 * limbs). Include only where PROOFLINE_HAVE_IFMA holds, and call
/// only when ifma_available().
///
/// Values are kept "half reduced": below 2p, or a 2^-13 p more where reduce() made them. A product of
/// factors x p and y p is below (1 + x y p / R) p, so half reduced for x y below R / p (2^35 in Fp, 35 in
/// Fr). Source of the method: Gueron and Krasnov 2016 (IFMA Montgomery products).
#include "math/ifma.hpp"
#if PROOFLINE_HAVE_IFMA

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace proofline::math {

inline constexpr std::uint64_t kMask52 = (std::uint64_t{1} << 52) - 1;

/// A prime as the lane arithmetic wants it. `kInverse` is -p^-1 modulo 2^52.
template <unsigned limbs>
using Limbs52 = std::array<std::uint64_t, limbs>;

/// times * a, carried.
template <std::size_t limbs>
constexpr std::array<std::uint64_t, limbs> multiple(const std::array<std::uint64_t, limbs>& a, std::uint64_t times) {
  std::array<std::uint64_t, limbs> out{};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs; ++i) {
    const std::uint64_t value = a[i] * times + carry;  // times is below 2^11: no overflow
    out[i] = value & kMask52;
    carry = value >> 52;
  }
  return out;
}

/// For each limb, that limb of 0, a, ..., 7a.
template <std::size_t limbs>
struct alignas(64) MultipleTable {
  std::array<std::array<std::uint64_t, 8>, limbs> limb{};
  constexpr explicit MultipleTable(const std::array<std::uint64_t, limbs>& a) {
    for (std::uint64_t times = 0; times < 8; ++times)
      for (std::size_t i = 0; i < limbs; ++i) limb[i][times] = multiple(a, times)[i];
  }
};

/// Eight elements of the field with modulus Prime::kModulus.
template <class Prime>
struct Lanes {
  static constexpr unsigned kLimbs = Prime::kLimbs;
  static constexpr Limbs52<kLimbs> kThrice = multiple(Prime::kModulus, 3);
  static constexpr Limbs52<kLimbs> kFiveTimes = multiple(Prime::kModulus, 5);
  static constexpr MultipleTable<kLimbs> kMultiples{Prime::kModulus};

  __m512i l[kLimbs];
};

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> broadcast(const Limbs52<Prime::kLimbs>& value) {
  Lanes<Prime> out;
#pragma GCC unroll 9
  for (unsigned i = 0; i < Prime::kLimbs; ++i) out.l[i] = _mm512_set1_epi64(static_cast<long long>(value[i]));
  return out;
}

/// Makes every limb 52 bits again; the top limb keeps the sign of the whole.
template <class Prime>
PROOFLINE_IFMA_INLINE void carry(Lanes<Prime>& a) {
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(kMask52));
#pragma GCC unroll 9
  for (unsigned i = 0; i + 1 < Prime::kLimbs; ++i) {
    a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    a.l[i] = _mm512_and_si512(a.l[i], mask);
  }
}

/// Montgomery product a * b / R, below 2p.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> multiply(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  constexpr unsigned n = Prime::kLimbs;
  const __m512i zero = _mm512_setzero_si512();
  const __m512i inverse = _mm512_set1_epi64(static_cast<long long>(Prime::kInverse));
  __m512i p[n];
  __m512i t[n + 1];
#pragma GCC unroll 9
  for (unsigned j = 0; j < n; ++j) p[j] = _mm512_set1_epi64(static_cast<long long>(Prime::kModulus[j]));
#pragma GCC unroll 9
  for (unsigned j = 0; j <= n; ++j) t[j] = zero;
#pragma GCC unroll 8
  for (unsigned i = 0; i < n; ++i) {
#pragma GCC unroll 8
    for (unsigned j = 0; j < n; ++j) t[j] = _mm512_madd52lo_epu64(t[j], a.l[j], b.l[i]);
    const __m512i m = _mm512_madd52lo_epu64(zero, t[0], inverse);
#pragma GCC unroll 8
    for (unsigned j = 0; j < n; ++j) t[j] = _mm512_madd52lo_epu64(t[j], m, p[j]);
    // The lowest limb is now zero in its low 52 bits: its carry moves up and everything one limb down.
    t[1] = _mm512_add_epi64(t[1], _mm512_srli_epi64(t[0], 52));
#pragma GCC unroll 8
    for (unsigned j = 0; j < n; ++j) {
      const __m512i high = _mm512_madd52hi_epu64(t[j + 1], a.l[j], b.l[i]);
      t[j] = _mm512_madd52hi_epu64(high, m, p[j]);
    }
    t[n] = zero;
  }
  Lanes<Prime> out;
#pragma GCC unroll 9
  for (unsigned j = 0; j < n; ++j) out.l[j] = t[j];
  carry(out);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> square(const Lanes<Prime>& a) {
  return multiply(a, a);
}

template <class Prime>
PROOFLINE_IFMA_INLINE __m512i limb_of(const Limbs52<Prime::kLimbs>& value, unsigned i) {
  return _mm512_set1_epi64(static_cast<long long>(value[i]));
}

/// a + 3p - b, limbs not carried.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> raw_difference(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out;
#pragma GCC unroll 9
  for (unsigned i = 0; i < Prime::kLimbs; ++i)
    out.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], limb_of<Prime>(Lanes<Prime>::kThrice, i)), b.l[i]);
  return out;
}

/// a - b + 3p, below 5p: good as a factor.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract_lazy(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = raw_difference(a, b);
  carry(out);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> raw_sum(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out;
#pragma GCC unroll 9
  for (unsigned i = 0; i < Prime::kLimbs; ++i) out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
  return out;
}

/// a + b, below 4p: good as a factor.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> add_lazy(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = raw_sum(a, b);
  carry(out);
  return out;
}

/// For limbs not yet carried of a value below 8p whose raw top limb is not negative: subtracts multiples
/// of p by a quotient guessed from the top 17 bits, one less than what fits, and carries. The result is
/// not negative and below 2p (up to the guess's error of 2^-13 p).
template <class Prime>
PROOFLINE_IFMA_INLINE void reduce(Lanes<Prime>& a) {
  constexpr unsigned top = Prime::kLimbs - 1;
  constexpr unsigned shift = static_cast<unsigned>(std::bit_width(Prime::kModulus[top])) - 17;
  constexpr std::uint64_t reciprocal = (std::uint64_t{1} << 52) / ((Prime::kModulus[top] >> shift) + 1);
  const __m512i zero = _mm512_setzero_si512();
  const __m512i guess = _mm512_madd52hi_epu64(zero, _mm512_srli_epi64(a.l[top], shift),
                                              _mm512_set1_epi64(static_cast<long long>(reciprocal)));
  const __m512i times = _mm512_max_epi64(_mm512_sub_epi64(guess, _mm512_set1_epi64(1)), zero);
#pragma GCC unroll 9
  for (unsigned i = 0; i < Prime::kLimbs; ++i) {
    const __m512i multiples = _mm512_load_si512(Lanes<Prime>::kMultiples.limb[i].data());
    a.l[i] = _mm512_sub_epi64(a.l[i], _mm512_permutexvar_epi64(times, multiples));
  }
  carry(a);
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> add(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = raw_sum(a, b);
  reduce(out);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = raw_difference(a, b);
  reduce(out);
  return out;
}

/// a - b - c
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract_two(const Lanes<Prime>& a, const Lanes<Prime>& b, const Lanes<Prime>& c) {
  Lanes<Prime> out;
#pragma GCC unroll 9
  for (unsigned i = 0; i < Prime::kLimbs; ++i) {
    const __m512i raised = _mm512_add_epi64(a.l[i], limb_of<Prime>(Lanes<Prime>::kFiveTimes, i));
    out.l[i] = _mm512_sub_epi64(_mm512_sub_epi64(raised, b.l[i]), c.l[i]);
  }
  reduce(out);
  return out;
}

/// From half reduced to below p. Twice, because a half reduced value may be 2p and a little more.
template <class Prime>
PROOFLINE_IFMA_INLINE void reduce_fully(Lanes<Prime>& a) {
#pragma GCC unroll 9
  for (int twice = 0; twice < 2; ++twice) {
    Lanes<Prime> less;
#pragma GCC unroll 9
    for (unsigned i = 0; i < Prime::kLimbs; ++i) {
      less.l[i] = _mm512_sub_epi64(a.l[i], limb_of<Prime>(Prime::kModulus, i));
    }
    carry(less);
    const __mmask8 negative = _mm512_movepi64_mask(less.l[Prime::kLimbs - 1]);
#pragma GCC unroll 9
    for (unsigned i = 0; i < Prime::kLimbs; ++i) a.l[i] = _mm512_mask_blend_epi64(negative, less.l[i], a.l[i]);
  }
}

/// An 8 x 8 transposition of 64-bit words, in place.
PROOFLINE_IFMA_INLINE void transpose(__m512i (&r)[8]) {
  __m512i t[8];
#pragma GCC unroll 9
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
  }
  __m512i u[8];
#pragma GCC unroll 9
  for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 9
    for (int j = 0; j < 2; ++j) {
      u[i + j] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0x88);
      u[i + j + 2] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0xdd);
    }
#pragma GCC unroll 9
  for (int j = 0; j < 4; ++j) {
    r[j] = _mm512_shuffle_i64x2(u[j], u[j + 4], 0x88);
    r[j + 4] = _mm512_shuffle_i64x2(u[j], u[j + 4], 0xdd);
  }
}

}  // namespace proofline::math

#endif
