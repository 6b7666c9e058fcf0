#pragma once
/// The optimal ate pairing of BLS12-381.
#include <span>

#include "math/curve.hpp"

namespace proofline::math {

/// An element of the target group (after the final exponentiation).
struct Gt {
  blst_fp12 v;
  static Gt one();
  bool operator==(const Gt& o) const { return blst_fp12_is_equal(&v, &o.v); }
  Gt operator*(const Gt& o) const;
};

Gt pairing(const G1Affine& p, const G2Affine& q);
/// Product of pairings e(ps[i], qs[i]) with one final exponentiation. Spans have equal length.
Gt pairing_product(std::span<const G1Affine> ps, std::span<const G2Affine> qs);

}  // namespace proofline::math
