#include "math/point_decoding.hpp"

#include <algorithm>
#include <cstring>

#include "math/fp_lanes.hpp"

namespace proofline::math {
namespace {

#if PROOFLINE_HAVE_IFMA

/// A big-endian coordinate as words, least significant first.
blst_fp swap_bytes(const std::uint8_t* at) {
  blst_fp out;
  for (std::size_t i = 0; i < 6; ++i) {
    std::uint64_t word;
    std::memcpy(&word, at + 8 * (5 - i), sizeof word);
    out.l[i] = __builtin_bswap64(word);
  }
  return out;
}

/// Lanes whose value is not below p. Flags of the encoding stand above p's bits: a coordinate that has one is too
/// large.
PROOFLINE_IFMA_INLINE __mmask8 too_large(const FpLanes& value) {
  FpLanes less;
  for (unsigned i = 0; i < FpPrime::kLimbs; ++i)
    less.l[i] = _mm512_sub_epi64(value.l[i], limb_of<FpPrime>(FpPrime::kModulus, i));
  carry(less);
  return static_cast<__mmask8>(~_mm512_movepi64_mask(less.l[FpPrime::kLimbs - 1]));
}

/// Eight coordinates in blst's form: decoded, checked to be canonical, in Montgomery form in `lanes`, and written to
/// `out`.
PROOFLINE_IFMA_INLINE __mmask8 decode_coordinate(const std::uint8_t* const (&at)[8], FpLanes& lanes,
                                                 blst_fp (&out)[8]) {
  for (std::size_t i = 0; i < 8; ++i) out[i] = swap_bytes(at[i]);
  const FpLanes number = load_64_bits(out, 8);
  lanes = multiply(number, broadcast<FpPrime>(FpPrime::kSquareOfR));
  FpLanes for_blst = multiply(lanes, broadcast<FpPrime>(FpPrime::kToBlst));
  reduce_fully(for_blst);
  store_64_bits(for_blst, out, 8);
  return too_large(number);
}

PROOFLINE_IFMA_INLINE FpLanes four() {
  const FpLanes one = broadcast<FpPrime>(FpPrime::kOne);
  const FpLanes two = add(one, one);
  return add(two, two);
}

/// Decodes eight points; false when one is not good. The points of G1 lie on y^2 = x^3 + 4.
PROOFLINE_IFMA bool decode_eight(const std::uint8_t* const (&at)[8], G1Affine* const (&out)[8]) {
  const std::uint8_t* at_y[8];
  for (std::size_t i = 0; i < 8; ++i) at_y[i] = at[i] + 48;
  FpLanes x, y;
  blst_fp words[2][8];
  __mmask8 bad = decode_coordinate(at, x, words[0]);
  bad = static_cast<__mmask8>(bad | decode_coordinate(at_y, y, words[1]));
  const __mmask8 on_curve = zeros(subtract_two(square(y), multiply(square(x), x), four()));
  for (std::size_t i = 0; i < 8; ++i) out[i]->p = {words[0][i], words[1][i]};
  return bad == 0 && on_curve == 0xff;
}

/// Those of G2 on y^2 = x^3 + 4 + 4u. The u coordinate comes first.
PROOFLINE_IFMA bool decode_eight(const std::uint8_t* const (&at)[8], G2Affine* const (&out)[8]) {
  Fp2Lanes x, y;
  FpLanes* const targets[] = {&x.c1, &x.c0, &y.c1, &y.c0};
  blst_fp words[4][8];
  __mmask8 bad = 0;
  for (std::size_t coordinate = 0; coordinate < 4; ++coordinate) {
    const std::uint8_t* place[8];
    for (std::size_t i = 0; i < 8; ++i) place[i] = at[i] + 48 * coordinate;
    bad = static_cast<__mmask8>(bad | decode_coordinate(place, *targets[coordinate], words[coordinate]));
  }
  const __mmask8 on_curve = zeros(subtract_two(square(y), multiply(square(x), x), Fp2Lanes{four(), four()}));
  for (std::size_t i = 0; i < 8; ++i) out[i]->p = {{{words[1][i], words[0][i]}}, {{words[3][i], words[2][i]}}};
  return bad == 0 && on_curve == 0xff;
}

template <class Affine>
bool decode_lanes(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices, std::span<Affine> out) {
  for (std::size_t begin = 0; begin < out.size(); begin += 8) {
    const std::uint8_t* at[8];
    Affine* targets[8];
    Affine spare;
    for (std::size_t i = 0; i < 8; ++i) {
      // The last group is filled up with its first point.
      const bool real = begin + i < out.size();
      at[i] = list.data() + std::size_t{indices[real ? begin + i : begin]} * Affine::kUncompressed;
      targets[i] = real ? &out[begin + i] : &spare;
    }
    if (!decode_eight(at, targets)) return false;
  }
  return true;
}

#endif

template <class Affine>
bool decode_fast(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices, std::span<Affine> out) {
#if PROOFLINE_HAVE_IFMA
  if (ifma_available()) return decode_lanes(list, indices, out);
#endif
  static_cast<void>(list);
  static_cast<void>(indices);
  return out.empty();
}

}  // namespace

bool decode_points(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices,
                   std::span<G1Affine> out) {
  return decode_fast(list, indices, out);
}

bool decode_points(std::span<const std::uint8_t> list, std::span<const std::uint32_t> indices,
                   std::span<G2Affine> out) {
  return decode_fast(list, indices, out);
}

}  // namespace proofline::math
