#pragma once
/// Fp and Fp2, the coordinate fields of G1 and G2, as thin value types over blst.
/// Elements are in Montgomery form (factor 2^384).
#include <blst.h>

#include <cstring>

namespace proofline::math {

struct Fp {
  blst_fp v{};

  bool is_zero() const {
    limb_t any = 0;
    for (const limb_t limb : v.l) any |= limb;
    return any == 0;
  }
  bool operator==(const Fp& o) const { return std::memcmp(&v, &o.v, sizeof v) == 0; }
  Fp operator+(const Fp& o) const {
    Fp out;
    blst_fp_add(&out.v, &v, &o.v);
    return out;
  }
  Fp operator-(const Fp& o) const {
    Fp out;
    blst_fp_sub(&out.v, &v, &o.v);
    return out;
  }
  Fp operator*(const Fp& o) const {
    Fp out;
    blst_fp_mul(&out.v, &v, &o.v);
    return out;
  }
  Fp operator-() const {
    Fp out;
    blst_fp_cneg(&out.v, &v, true);
    return out;
  }
  Fp square() const {
    Fp out;
    blst_fp_sqr(&out.v, &v);
    return out;
  }
  /// Zero for zero. Variable time.
  Fp inverse() const {
    Fp out;
    blst_fp_eucl_inverse(&out.v, &v);
    return out;
  }
  static Fp one() {
    Fp out;
    const std::uint64_t limbs[6] = {1, 0, 0, 0, 0, 0};
    blst_fp_from_uint64(&out.v, limbs);
    return out;
  }
};

struct Fp2 {
  blst_fp2 v{};

  bool is_zero() const { return Fp{v.fp[0]}.is_zero() && Fp{v.fp[1]}.is_zero(); }
  bool operator==(const Fp2& o) const { return std::memcmp(&v, &o.v, sizeof v) == 0; }
  Fp2 operator+(const Fp2& o) const {
    Fp2 out;
    blst_fp2_add(&out.v, &v, &o.v);
    return out;
  }
  Fp2 operator-(const Fp2& o) const {
    Fp2 out;
    blst_fp2_sub(&out.v, &v, &o.v);
    return out;
  }
  Fp2 operator*(const Fp2& o) const {
    Fp2 out;
    blst_fp2_mul(&out.v, &v, &o.v);
    return out;
  }
  Fp2 operator-() const {
    Fp2 out;
    blst_fp2_cneg(&out.v, &v, true);
    return out;
  }
  Fp2 square() const {
    Fp2 out;
    blst_fp2_sqr(&out.v, &v);
    return out;
  }
  Fp2 inverse() const {
    Fp2 out;
    blst_fp2_eucl_inverse(&out.v, &v);
    return out;
  }
  static Fp2 one() {
    Fp2 out;
    out.v.fp[0] = Fp::one().v;
    return out;
  }
};

}  // namespace proofline::math
