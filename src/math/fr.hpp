#pragma once
/// Fr: the scalar field of BLS12-381, integers modulo
/// r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001.
/// Arithmetic is blst's; values are kept in Montgomery form (factor 2^256).
#include <blst.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace proofline::math {

class Fr {
 public:
  /// Size of the canonical little-endian encoding.
  static constexpr std::size_t kBytes = 32;
  /// Bits that every value below 2^kCapacity fits in (254) and bits of the modulus (255).
  static constexpr unsigned kCapacity = 254;
  static constexpr unsigned kBits = 255;
  /// 2^kTwoAdicity divides r - 1.
  static constexpr unsigned kTwoAdicity = 32;
  using Limbs = std::array<std::uint64_t, 4>;

  constexpr Fr() : v_{{0, 0, 0, 0}} {}

  static constexpr Fr zero() { return Fr(); }
  static constexpr Fr one() {
    return from_montgomery(
        {0x00000001fffffffeULL, 0x5884b7fa00034802ULL, 0x998c4fefecbc4ff5ULL, 0x1824b159acc5056fULL});
  }
  static constexpr Fr minus_one() {
    return from_montgomery(
        {0xfffffffd00000003ULL, 0xfb38ec08fffb13fcULL, 0x99ad88181ce5880fULL, 0x5bc8f5f97cd877d8ULL});
  }
  static constexpr Fr from_montgomery(const Limbs& limbs) {
    Fr out;
    for (int i = 0; i < 4; ++i) out.v_.l[i] = limbs[static_cast<std::size_t>(i)];
    return out;
  }
  static Fr from_u64(std::uint64_t value) {
    const std::uint64_t limbs[4] = {value, 0, 0, 0};
    Fr out;
    blst_fr_from_uint64(&out.v_, limbs);
    return out;
  }
  /// 2^exponent, exponent < 255.
  static Fr power_of_two(unsigned exponent);
  /// Little-endian limbs of an integer below r. Precondition: below r.
  static Fr from_canonical(const Limbs& limbs) {
    Fr out;
    blst_fr_from_uint64(&out.v_, limbs.data());
    return out;
  }
  /// 32 little-endian bytes; nothing when the integer is not below r.
  static std::optional<Fr> from_bytes(std::span<const std::uint8_t, kBytes> bytes);
  /// A uniform value from the operating system's generator.
  static Fr random();

  /// Little-endian limbs of the integer in [0, r).
  Limbs to_canonical() const {
    Limbs out;
    blst_scalar scalar;
    blst_scalar_from_fr(&scalar, &v_);
    std::memcpy(out.data(), scalar.b, 32);
    return out;
  }
  std::array<std::uint8_t, kBytes> to_bytes() const {
    std::array<std::uint8_t, kBytes> out;
    blst_scalar scalar;
    blst_scalar_from_fr(&scalar, &v_);
    std::memcpy(out.data(), scalar.b, kBytes);
    return out;
  }

  bool is_zero() const { return (v_.l[0] | v_.l[1] | v_.l[2] | v_.l[3]) == 0; }
  bool is_one() const { return *this == one(); }
  bool operator==(const Fr& o) const {
    return ((v_.l[0] ^ o.v_.l[0]) | (v_.l[1] ^ o.v_.l[1]) | (v_.l[2] ^ o.v_.l[2]) | (v_.l[3] ^ o.v_.l[3])) == 0;
  }

  Fr operator+(const Fr& o) const {
    Fr out;
    blst_fr_add(&out.v_, &v_, &o.v_);
    return out;
  }
  Fr operator-(const Fr& o) const {
    Fr out;
    blst_fr_sub(&out.v_, &v_, &o.v_);
    return out;
  }
  Fr operator*(const Fr& o) const {
    Fr out;
    blst_fr_mul(&out.v_, &v_, &o.v_);
    return out;
  }
  Fr operator-() const {
    Fr out;
    blst_fr_cneg(&out.v_, &v_, true);
    return out;
  }
  Fr& operator+=(const Fr& o) {
    blst_fr_add(&v_, &v_, &o.v_);
    return *this;
  }
  Fr& operator-=(const Fr& o) {
    blst_fr_sub(&v_, &v_, &o.v_);
    return *this;
  }
  Fr& operator*=(const Fr& o) {
    blst_fr_mul(&v_, &v_, &o.v_);
    return *this;
  }
  Fr doubled() const { return *this + *this; }
  Fr square() const {
    Fr out;
    blst_fr_sqr(&out.v_, &v_);
    return out;
  }
  /// Multiplicative inverse; zero for zero. Not constant time.
  Fr inverse() const;
  Fr pow(std::uint64_t exponent) const;
  Fr pow(const Limbs& exponent) const;

  /// The Montgomery representation, for blst calls and bulk copies.
  const blst_fr& raw() const { return v_; }
  blst_fr& raw() { return v_; }

 private:
  blst_fr v_;
};

static_assert(sizeof(Fr) == 32);

/// Replaces each nonzero element by its inverse (Montgomery's trick: one inversion, 3 products an
/// element); zeros stay zero. `scratch` holds at least values.size() elements.
void batch_inverse(std::span<Fr> values, std::span<Fr> scratch);
void batch_inverse(std::span<Fr> values);

}  // namespace proofline::math
