#include "math/fp_lanes.hpp"

#if PROOFLINE_HAVE_IFMA

#include <algorithm>

namespace proofline::math {
namespace {

FpRow to_52_bits(const blst_fp& value) {
  FpRow out{};
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned bit = 52 * i;
    if (bit >= 384) break;
    std::uint64_t limb = value.l[bit / 64] >> (bit % 64);
    if (bit % 64 > 12 && bit / 64 < 5) limb |= value.l[bit / 64 + 1] << (64 - bit % 64);
    out.limbs[i] = limb & kMask52;
  }
  return out;
}

blst_fp to_64_bits(const FpRow& row) {
  blst_fp out{};
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned bit = 52 * i;
    if (bit >= 384) break;
    out.l[bit / 64] |= row.limbs[i] << (bit % 64);
    if (bit % 64 > 12 && bit / 64 < 5) out.l[bit / 64 + 1] |= row.limbs[i] >> (64 - bit % 64);
  }
  return out;
}

/// rows[i] *= factor, fully reduced where asked.
PROOFLINE_IFMA void scale(FpRow (&rows)[8], const Limbs52<8>& factor, bool fully) {
  const FpRow* const in[8] = {&rows[0], &rows[1], &rows[2], &rows[3], &rows[4], &rows[5], &rows[6], &rows[7]};
  FpRow* const out[8] = {&rows[0], &rows[1], &rows[2], &rows[3], &rows[4], &rows[5], &rows[6], &rows[7]};
  FpLanes value = multiply(load_rows(in), broadcast<FpPrime>(factor));
  if (fully) reduce_fully(value);
  store_rows(value, out);
}

}  // namespace

void from_blst(std::span<const blst_fp> in, std::span<FpRow> out) {
  FpRow rows[8] = {};
  for (std::size_t begin = 0; begin < in.size(); begin += 8) {
    const std::size_t count = std::min<std::size_t>(8, in.size() - begin);
    for (std::size_t i = 0; i < count; ++i) rows[i] = to_52_bits(in[begin + i]);
    scale(rows, FpPrime::kFromBlst, false);
    std::copy_n(rows, count, &out[begin]);
  }
}

void to_blst(std::span<const FpRow> in, std::span<blst_fp> out) {
  FpRow rows[8] = {};
  for (std::size_t begin = 0; begin < in.size(); begin += 8) {
    const std::size_t count = std::min<std::size_t>(8, in.size() - begin);
    std::copy_n(&in[begin], count, rows);
    scale(rows, FpPrime::kToBlst, true);
    for (std::size_t i = 0; i < count; ++i) out[begin + i] = to_64_bits(rows[i]);
  }
}

}  // namespace proofline::math

#endif
