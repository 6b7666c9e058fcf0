#pragma once
/// Signed windows of scalars: digits in [-2^(c-1), 2^(c-1)] with scalar = sum of digit_w * 2^(c w).
#include <bit>
#include <cstddef>
#include <cstdint>

#include "math/fr.hpp"

namespace proofline::math {

/// Windows of c bits that hold any integer up to (r - 1) / 2 with its last carry.
constexpr unsigned signed_windows(unsigned c) {
  return (Fr::kBits - 1 + c) / c;
}

/// Whether the canonical integer exceeds (r - 1) / 2; it is then better taken as -(r - integer).
bool is_negative(const Fr::Limbs& canonical);

/// The absolute value of a scalar taken from (-r/2, r/2], and its sign.
struct SignedScalar {
  Fr::Limbs limbs;
  bool negative;

  explicit SignedScalar(const Fr& scalar) : limbs(scalar.to_canonical()), negative(is_negative(limbs)) {
    if (negative) limbs = (-scalar).to_canonical();
  }
  /// Length of the absolute value.
  unsigned bits() const {
    for (std::size_t i = limbs.size(); i-- > 0;)
      if (limbs[i] != 0) return static_cast<unsigned>(64 * i) + static_cast<unsigned>(std::bit_width(limbs[i]));
    return 0;
  }
};

/// Calls use(window, digit) for each of the `windows` digits of the integer (at most (r - 1) / 2).
template <class Use>
void signed_digits(const Fr::Limbs& canonical, unsigned c, unsigned windows, const Use& use) {
  std::uint32_t carry = 0;
  const std::uint32_t half = std::uint32_t{1} << (c - 1);
  for (unsigned w = 0; w < windows; ++w) {
    const unsigned bit = w * c;
    std::uint64_t value = 0;
    if (bit < 256) {
      value = canonical[bit / 64] >> (bit % 64);
      if (bit % 64 + c > 64 && bit / 64 < 3) value |= canonical[bit / 64 + 1] << (64 - bit % 64);
    }
    std::uint32_t digit = static_cast<std::uint32_t>(value & ((std::uint64_t{1} << c) - 1)) + carry;
    carry = digit > half ? 1 : 0;
    use(w, static_cast<std::int32_t>(digit) - static_cast<std::int32_t>(carry << c));
  }
}

}  // namespace proofline::math
