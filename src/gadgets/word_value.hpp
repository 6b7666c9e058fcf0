#pragma once
/// 32-bit words where only values are wanted: all 32 bits of an operation at once, with the allocations that the
/// bit-by-bit gadgets of word32.hpp make, in their order.
#include <array>
#include <cstdint>
#include <span>

#include "gadgets/boolean.hpp"

namespace proofline::gadgets {

/// What Word32 says of 32 bits, without the variables' names. Each member has one place a bit.
struct WordValue {
  std::uint32_t value = 0;
  std::uint32_t variable = 0;  ///< the bit is a variable or the negation of one; a constant otherwise
  std::uint32_t negated = 0;   ///< ... the negation

  static WordValue constant(std::uint32_t value) { return {value, 0, 0}; }
  /// `bits` most significant first, 32 of them.
  static WordValue from_bits_be(std::span<const Boolean, 32> bits);
  /// Most significant first; the variables are placeholders.
  std::array<Boolean, 32> to_bits_be() const;
  WordValue rotate_right(unsigned by) const;
  /// Zeros enter from the left.
  WordValue shift_right(unsigned by) const;
};

WordValue bitwise_xor(Builder& cs, const WordValue& a, const WordValue& b);
WordValue choice(Builder& cs, const WordValue& a, const WordValue& b, const WordValue& c);
WordValue majority(Builder& cs, const WordValue& a, const WordValue& b, const WordValue& c);
/// Sum modulo 2^32 of 2 to 10 words.
WordValue add_many(Builder& cs, std::span<const WordValue> words);

}  // namespace proofline::gadgets
