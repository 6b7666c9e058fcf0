#include "gadgets/word_value.hpp"

#include <algorithm>
#include <bit>

namespace proofline::gadgets {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};

/// The result of an operation that allocates at most one variable a bit, before it allocates.
struct Operation {
  WordValue result;
  std::uint32_t allocates = 0;  ///< where a variable is allocated
  std::uint32_t allocated = 0;  ///< its value
};

WordValue operator!(const WordValue& a) {
  return {~a.value, a.variable, a.negated ^ a.variable};
}

Operation operator!(Operation a) {
  a.result = !a.result;
  return a;
}

/// `x` where mask is one, `y` elsewhere.
std::uint32_t select(std::uint32_t mask, std::uint32_t x, std::uint32_t y) {
  return (x & mask) | (y & ~mask);
}

Operation select(std::uint32_t mask, const Operation& x, const Operation& y) {
  return {{select(mask, x.result.value, y.result.value), select(mask, x.result.variable, y.result.variable),
           select(mask, x.result.negated, y.result.negated)},
          select(mask, x.allocates, y.allocates),
          select(mask, x.allocated, y.allocated)};
}

/// logical_and() of boolean.hpp.
Operation conjunction(const WordValue& a, const WordValue& b) {
  const std::uint32_t both = a.variable & b.variable;
  const std::uint32_t only_a = a.variable & ~b.variable & b.value;
  const std::uint32_t only_b = b.variable & ~a.variable & a.value;
  const std::uint32_t value = a.value & b.value;
  return {{value, both | only_a | only_b, (a.negated & only_a) | (b.negated & only_b)}, both, value};
}

std::uint32_t constant_at(const WordValue& word, bool value) {
  return ~word.variable & (value ? word.value : ~word.value);
}

/// The bits of `value` where `mask` is one, moved together.
std::uint64_t gather(std::uint32_t value, std::uint32_t mask) {
  std::uint64_t out = 0;
  for (unsigned place = 0; mask != 0; mask &= mask - 1, ++place)
    out |= std::uint64_t{(value >> std::countr_zero(mask)) & 1} << place;
  return out;
}

void allocate(Builder& cs, std::uint32_t mask, std::uint32_t values) {
  if (mask == kAll) {
    cs.alloc_bits(values, 32);
  } else if (mask != 0) {
    cs.alloc_bits(gather(values, mask), static_cast<unsigned>(std::popcount(mask)));
  }
}

WordValue perform(Builder& cs, const Operation& operation) {
  allocate(cs, operation.allocates, operation.allocated);
  return operation.result;
}

/// Bit i to place 2 i.
std::uint64_t spread(std::uint32_t x) {
  std::uint64_t out = x;
  out = (out | out << 16) & 0x0000ffff0000ffffULL;
  out = (out | out << 8) & 0x00ff00ff00ff00ffULL;
  out = (out | out << 4) & 0x0f0f0f0f0f0f0f0fULL;
  out = (out | out << 2) & 0x3333333333333333ULL;
  return (out | out << 1) & 0x5555555555555555ULL;
}

}  // namespace

WordValue WordValue::from_bits_be(std::span<const Boolean, 32> bits) {
  WordValue out;
  for (const Boolean& bit : bits) {
    out.value = out.value << 1 | std::uint32_t{bit.value()};
    out.variable = out.variable << 1 | std::uint32_t{!bit.is_constant()};
    out.negated = out.negated << 1 | std::uint32_t{bit.kind() == Boolean::Kind::kNot};
  }
  return out;
}

std::array<Boolean, 32> WordValue::to_bits_be() const {
  std::array<Boolean, 32> out;
  for (unsigned i = 0; i < 32; ++i) {
    const bool bit = (value >> (31 - i)) & 1;
    const bool not_kind = (negated >> (31 - i)) & 1;
    if (((variable >> (31 - i)) & 1) == 0) {
      out[i] = Boolean::constant(bit);
    } else {
      out[i] = not_kind ? !Boolean::is(Variable::aux(0), !bit) : Boolean::is(Variable::aux(0), bit);
    }
  }
  return out;
}

WordValue WordValue::rotate_right(unsigned by) const {
  const auto n = static_cast<int>(by);
  return {std::rotr(value, n), std::rotr(variable, n), std::rotr(negated, n)};
}

WordValue WordValue::shift_right(unsigned by) const {
  return {value >> by, variable >> by, negated >> by};
}

WordValue bitwise_xor(Builder& cs, const WordValue& a, const WordValue& b) {
  const std::uint32_t both = a.variable & b.variable;
  const std::uint32_t value = a.value ^ b.value;
  const std::uint32_t negated =
      a.negated ^ b.negated ^ (a.variable & ~b.variable & b.value) ^ (b.variable & ~a.variable & a.value);
  allocate(cs, both, value ^ negated);
  return {value, a.variable | b.variable, negated};
}

WordValue choice(Builder& cs, const WordValue& a, const WordValue& b, const WordValue& c) {
  const std::uint32_t value = (a.value & b.value) | (~a.value & c.value);
  // From the last rule of sha256_choice() to the first: earlier rules come over later ones.
  Operation out{{value, kAll, 0}, kAll, value};
  if ((a.variable & b.variable & c.variable) != kAll) {
    out = select(constant_at(b, true), !conjunction(!a, !c), out);
    out = select(constant_at(c, true), !conjunction(a, !b), out);
    out = select(constant_at(c, false), conjunction(a, b), out);
    out = select(constant_at(b, false), conjunction(!a, c), out);
    out = select(constant_at(a, false), Operation{c, 0, 0}, out);
    out = select(~(a.variable | b.variable | c.variable), Operation{{value, 0, 0}, 0, 0}, out);
  }
  return perform(cs, out);
}

WordValue majority(Builder& cs, const WordValue& a, const WordValue& b, const WordValue& c) {
  const std::uint32_t value = (a.value & b.value) | (c.value & (a.value | b.value));
  const std::uint32_t general = a.variable & b.variable & c.variable;
  const std::uint32_t bc = b.value & c.value;
  if (general == kAll) {
    cs.alloc_bits(spread(value) | spread(bc) << 1, 64);
    return {value, kAll, 0};
  }
  Operation out{{value, kAll, 0}, 0, 0};
  out = select(constant_at(a, true), !conjunction(!b, !c), out);
  out = select(constant_at(b, true), !conjunction(!a, !c), out);
  out = select(constant_at(c, true), !conjunction(!a, !b), out);
  out = select(constant_at(c, false), conjunction(a, b), out);
  out = select(constant_at(b, false), conjunction(a, c), out);
  out = select(constant_at(a, false), conjunction(b, c), out);
  out = select(~(a.variable | b.variable | c.variable), Operation{{value, 0, 0}, 0, 0}, out);
  for (unsigned i = 0; i < 32; ++i) {
    if ((general >> i) & 1) {
      cs.alloc_bits(((value >> i) & 1) | ((bc >> i) & 1) << 1, 2);
    } else if ((out.allocates >> i) & 1) {
      cs.alloc_bit((out.allocated >> i) & 1);
    }
  }
  return out.result;
}

WordValue add_many(Builder& cs, std::span<const WordValue> words) {
  std::uint64_t sum = 0;
  std::uint32_t variable = 0;
  for (const WordValue& word : words) {
    sum += word.value;
    variable |= word.variable;
  }
  if (variable == 0) return WordValue::constant(static_cast<std::uint32_t>(sum));
  cs.alloc_bits(sum, static_cast<unsigned>(std::bit_width(words.size() * std::uint64_t{UINT32_MAX})));
  return {static_cast<std::uint32_t>(sum), kAll, 0};
}

}  // namespace proofline::gadgets
