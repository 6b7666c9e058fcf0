#pragma once
/// Eight field elements side by side in AVX-512 registers: limb i of all eight in one register, 52 bits a
/// limb, Montgomery form with R = 2^(52 * limbs). Include only where PROOFLINE_HAVE_IFMA holds, and call
/// only when ifma_available().
///
/// Values are kept below 2p ("half reduced"). A product of factors x p and y p is below (1 + x y p / R) p,
/// which is below 2p for factors below 4p in both fields (R / p is 2^35 for Fp and 35 for Fr). Source of the method: Gueron and Krasnov 2016 (IFMA Montgomery products).
#include "math/ifma.hpp"
#if PROOFLINE_HAVE_IFMA

#include <array>
#include <cstdint>

namespace proofline::math {

inline constexpr std::uint64_t kMask52 = (std::uint64_t{1} << 52) - 1;

/// A prime as the lane arithmetic wants it. `kInverse` is -p^-1 modulo 2^52.
template <unsigned limbs>
using Limbs52 = std::array<std::uint64_t, limbs>;

/// Shifts an integer of 52-bit limbs left by one bit; used to make 2p and 4p.
template <unsigned limbs>
constexpr Limbs52<limbs> twice(const Limbs52<limbs>& a) {
  Limbs52<limbs> out{};
  std::uint64_t carry = 0;
  for (unsigned i = 0; i < limbs; ++i) {
    const std::uint64_t shifted = (a[i] << 1) | carry;
    out[i] = shifted & kMask52;
    carry = shifted >> 52;
  }
  return out;
}

/// Eight elements of the field with modulus Prime::kModulus.
template <class Prime>
struct Lanes {
  static constexpr unsigned kLimbs = Prime::kLimbs;
  static constexpr Limbs52<kLimbs> kTwice = twice<kLimbs>(Prime::kModulus);
  static constexpr Limbs52<kLimbs> kFourTimes = twice<kLimbs>(kTwice);

  __m512i l[kLimbs];
};

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> broadcast(const Limbs52<Prime::kLimbs>& value) {
  Lanes<Prime> out;
  for (unsigned i = 0; i < Prime::kLimbs; ++i) out.l[i] = _mm512_set1_epi64(static_cast<long long>(value[i]));
  return out;
}

/// Makes every limb 52 bits again; the top limb keeps the sign of the whole.
template <class Prime>
PROOFLINE_IFMA_INLINE void carry(Lanes<Prime>& a) {
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(kMask52));
  for (unsigned i = 0; i + 1 < Prime::kLimbs; ++i) {
    a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    a.l[i] = _mm512_and_si512(a.l[i], mask);
  }
}

/// a - bound where that is not negative, else a. Turns [0, 2 bound) into [0, bound).
template <class Prime>
PROOFLINE_IFMA_INLINE void subtract_once(Lanes<Prime>& a, const Limbs52<Prime::kLimbs>& bound) {
  Lanes<Prime> less;
  for (unsigned i = 0; i < Prime::kLimbs; ++i)
    less.l[i] = _mm512_sub_epi64(a.l[i], _mm512_set1_epi64(static_cast<long long>(bound[i])));
  carry(less);
  const __mmask8 negative = _mm512_movepi64_mask(less.l[Prime::kLimbs - 1]);
  for (unsigned i = 0; i < Prime::kLimbs; ++i) a.l[i] = _mm512_mask_blend_epi64(negative, less.l[i], a.l[i]);
}

/// Montgomery product a * b / R, below 2p.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> multiply(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  constexpr unsigned n = Prime::kLimbs;
  const __m512i zero = _mm512_setzero_si512();
  const __m512i inverse = _mm512_set1_epi64(static_cast<long long>(Prime::kInverse));
  __m512i p[n];
  __m512i t[n + 1];
  for (unsigned j = 0; j < n; ++j) p[j] = _mm512_set1_epi64(static_cast<long long>(Prime::kModulus[j]));
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
  for (unsigned j = 0; j < n; ++j) out.l[j] = t[j];
  carry(out);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> square(const Lanes<Prime>& a) {
  return multiply(a, a);
}

/// a - b + 2p for a, b below 2p: between 0 and 4p, limbs carried. A product takes it as it is.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract_lazy(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out;
  for (unsigned i = 0; i < Prime::kLimbs; ++i) {
    const __m512i two_p = _mm512_set1_epi64(static_cast<long long>(Lanes<Prime>::kTwice[i]));
    out.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], two_p), b.l[i]);
  }
  carry(out);
  return out;
}

/// a + b below 4p, limbs carried.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> add_lazy(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out;
  for (unsigned i = 0; i < Prime::kLimbs; ++i) out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
  carry(out);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> add(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = add_lazy(a, b);
  subtract_once(out, Lanes<Prime>::kTwice);
  return out;
}

template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract(const Lanes<Prime>& a, const Lanes<Prime>& b) {
  Lanes<Prime> out = subtract_lazy(a, b);
  subtract_once(out, Lanes<Prime>::kTwice);
  return out;
}

/// a - b - c for values below 2p; the result is below 2p.
template <class Prime>
PROOFLINE_IFMA_INLINE Lanes<Prime> subtract_two(const Lanes<Prime>& a, const Lanes<Prime>& b, const Lanes<Prime>& c) {
  Lanes<Prime> out;
  for (unsigned i = 0; i < Prime::kLimbs; ++i) {
    const __m512i four_p = _mm512_set1_epi64(static_cast<long long>(Lanes<Prime>::kFourTimes[i]));
    out.l[i] = _mm512_sub_epi64(_mm512_sub_epi64(_mm512_add_epi64(a.l[i], four_p), b.l[i]), c.l[i]);
  }
  carry(out);
  subtract_once(out, Lanes<Prime>::kFourTimes);
  subtract_once(out, Lanes<Prime>::kTwice);
  return out;
}

/// Below p.
template <class Prime>
PROOFLINE_IFMA_INLINE void reduce_fully(Lanes<Prime>& a) {
  subtract_once(a, Prime::kModulus);
}

/// An 8 x 8 transposition of 64-bit words, in place.
PROOFLINE_IFMA_INLINE void transpose(__m512i (&r)[8]) {
  __m512i t[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
  }
  __m512i u[8];
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      u[i + j] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0x88);
      u[i + j + 2] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0xdd);
    }
  for (int j = 0; j < 4; ++j) {
    r[j] = _mm512_shuffle_i64x2(u[j], u[j + 4], 0x88);
    r[j + 4] = _mm512_shuffle_i64x2(u[j], u[j + 4], 0xdd);
  }
}

}  // namespace proofline::math

#endif
