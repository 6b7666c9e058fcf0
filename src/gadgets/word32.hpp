#pragma once
/// 32-bit words of booleans, as SHA-256 uses them. Source: bellperson's UInt32.
#include <array>
#include <cstdint>
#include <span>

#include "gadgets/boolean.hpp"
#include "gadgets/multi_equality.hpp"

namespace proofline::gadgets {

struct Word32 {
  std::array<Boolean, 32> bits;  ///< least significant first
  std::uint32_t value = 0;

  static Word32 constant(std::uint32_t value);
  /// `bits` most significant first, 32 of them.
  static Word32 from_bits_be(std::span<const Boolean, 32> bits);
  bool is_constant() const;
  Word32 rotate_right(unsigned by) const;
  /// Zeros enter from the left.
  Word32 shift_right(unsigned by) const;
};

Word32 bitwise_xor(Builder& cs, const Word32& a, const Word32& b);
Word32 choice(Builder& cs, const Word32& a, const Word32& b, const Word32& c);
Word32 majority(Builder& cs, const Word32& a, const Word32& b, const Word32& c);

/// Sum modulo 2^32 of 2 to 10 words. All bits of the full sum are allocated; the equality goes to
/// `equality`. A sum of constants is a constant.
Word32 add_many(Builder& cs, MultiEquality& equality, std::span<const Word32> words);

}  // namespace proofline::gadgets
