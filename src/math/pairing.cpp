#include "math/pairing.hpp"

#include <vector>

namespace proofline::math {

Gt Gt::one() {
  return {*blst_fp12_one()};
}

Gt Gt::operator*(const Gt& o) const {
  Gt out;
  blst_fp12_mul(&out.v, &v, &o.v);
  return out;
}

Gt pairing(const G1Affine& p, const G2Affine& q) {
  return pairing_product(std::span(&p, 1), std::span(&q, 1));
}

Gt pairing_product(std::span<const G1Affine> ps, std::span<const G2Affine> qs) {
  Gt product = Gt::one();
  for (std::size_t i = 0; i < ps.size(); ++i) {
    if (ps[i].is_infinity() || qs[i].is_infinity()) continue;
    Gt factor;
    blst_miller_loop(&factor.v, &qs[i].p, &ps[i].p);
    product = product * factor;
  }
  Gt out;
  blst_final_exp(&out.v, &product.v);
  return out;
}

}  // namespace proofline::math
