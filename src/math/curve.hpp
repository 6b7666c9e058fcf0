#pragma once
/// The groups G1 and G2 of BLS12-381: affine points (storage, files) and Jacobian points (sums).
/// Encodings are the zcash/IETF ones: big-endian coordinates, Fp2 as c1 || c0, flags in the top three
/// bits of the first byte (compressed, infinity, sign).
#include <blst.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/executor.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// How much of a decoded point is checked. `kSubgroup` includes `kCurve`; coordinates are always
/// checked to be canonical and flags to be consistent.
enum class PointCheck { kCurve, kSubgroup };

struct G1Affine {
  static constexpr std::size_t kUncompressed = 96;
  static constexpr std::size_t kCompressed = 48;
  blst_p1_affine p{};  ///< infinity is x = y = 0

  static const G1Affine& generator();
  bool is_infinity() const { return blst_p1_affine_is_inf(&p); }
  bool on_curve() const { return blst_p1_affine_on_curve(&p); }
  bool in_subgroup() const { return blst_p1_affine_in_g1(&p); }
  bool operator==(const G1Affine& o) const { return blst_p1_affine_is_equal(&p, &o.p); }
  G1Affine operator-() const;

  std::array<std::uint8_t, kUncompressed> to_uncompressed() const;
  std::array<std::uint8_t, kCompressed> to_compressed() const;
  /// Throws InputError "<what>: ..." when the bytes are not a point or fail the check.
  static G1Affine from_uncompressed(std::span<const std::uint8_t, kUncompressed> bytes, PointCheck check,
                                    std::string_view what);
  static G1Affine from_compressed(std::span<const std::uint8_t, kCompressed> bytes, PointCheck check,
                                  std::string_view what);
};

struct G1 {
  using Affine = G1Affine;
  blst_p1 p{};  ///< infinity is z = 0

  G1() = default;
  explicit G1(const G1Affine& a) { blst_p1_from_affine(&p, &a.p); }
  static G1 generator() { return G1(G1Affine::generator()); }
  bool is_infinity() const { return blst_p1_is_inf(&p); }
  bool operator==(const G1& o) const { return blst_p1_is_equal(&p, &o.p); }
  G1& operator+=(const G1& o) {
    blst_p1_add_or_double(&p, &p, &o.p);
    return *this;
  }
  G1& operator+=(const G1Affine& o) {
    blst_p1_add_or_double_affine(&p, &p, &o.p);
    return *this;
  }
  G1 operator+(const G1& o) const {
    G1 out = *this;
    return out += o;
  }
  G1 operator-() const {
    G1 out = *this;
    blst_p1_cneg(&out.p, true);
    return out;
  }
  G1 doubled() const {
    G1 out;
    blst_p1_double(&out.p, &p);
    return out;
  }
  /// Scalar multiple; constant time in the scalar.
  G1 operator*(const Fr& scalar) const;
  G1Affine to_affine() const {
    G1Affine out;
    blst_p1_to_affine(&out.p, &p);
    return out;
  }
};

struct G2Affine {
  static constexpr std::size_t kUncompressed = 192;
  static constexpr std::size_t kCompressed = 96;
  blst_p2_affine p{};

  static const G2Affine& generator();
  bool is_infinity() const { return blst_p2_affine_is_inf(&p); }
  bool on_curve() const { return blst_p2_affine_on_curve(&p); }
  bool in_subgroup() const { return blst_p2_affine_in_g2(&p); }
  bool operator==(const G2Affine& o) const { return blst_p2_affine_is_equal(&p, &o.p); }
  G2Affine operator-() const;

  std::array<std::uint8_t, kUncompressed> to_uncompressed() const;
  std::array<std::uint8_t, kCompressed> to_compressed() const;
  static G2Affine from_uncompressed(std::span<const std::uint8_t, kUncompressed> bytes, PointCheck check,
                                    std::string_view what);
  static G2Affine from_compressed(std::span<const std::uint8_t, kCompressed> bytes, PointCheck check,
                                  std::string_view what);
};

struct G2 {
  using Affine = G2Affine;
  blst_p2 p{};

  G2() = default;
  explicit G2(const G2Affine& a) { blst_p2_from_affine(&p, &a.p); }
  static G2 generator() { return G2(G2Affine::generator()); }
  bool is_infinity() const { return blst_p2_is_inf(&p); }
  bool operator==(const G2& o) const { return blst_p2_is_equal(&p, &o.p); }
  G2& operator+=(const G2& o) {
    blst_p2_add_or_double(&p, &p, &o.p);
    return *this;
  }
  G2& operator+=(const G2Affine& o) {
    blst_p2_add_or_double_affine(&p, &p, &o.p);
    return *this;
  }
  G2 operator+(const G2& o) const {
    G2 out = *this;
    return out += o;
  }
  G2 operator-() const {
    G2 out = *this;
    blst_p2_cneg(&out.p, true);
    return out;
  }
  G2 doubled() const {
    G2 out;
    blst_p2_double(&out.p, &p);
    return out;
  }
  G2 operator*(const Fr& scalar) const;
  G2Affine to_affine() const {
    G2Affine out;
    blst_p2_to_affine(&out.p, &p);
    return out;
  }
};

static_assert(sizeof(G1Affine) == 96 && sizeof(G2Affine) == 192);

/// All points to affine form with one shared inversion a block. Infinity stays infinity.
void to_affine(std::span<const G1> in, std::span<G1Affine> out, const Executor& exec);
void to_affine(std::span<const G2> in, std::span<G2Affine> out, const Executor& exec);

}  // namespace proofline::math
