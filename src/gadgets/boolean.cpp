#include "gadgets/boolean.hpp"

#include <array>

namespace proofline::gadgets {
namespace {

using r1cs::kOne;
using r1cs::SmallCombination;
using r1cs::Term;
using Kind = Boolean::Kind;

constexpr Fr kPlus = Fr::one();
constexpr Fr kMinus = Fr::minus_one();

Boolean xor_variables(Builder& cs, Variable a, Variable b, bool value) {
  const Variable result = cs.alloc_bit(value);
  if (cs.wants_rows()) {
    // 2a * b = a + b - result
    const Term rows_a[] = {{a, power_of_two(1)}};
    const Term rows_b[] = {{b, kPlus}};
    const Term rows_c[] = {{a, kPlus}, {b, kPlus}, {result, kMinus}};
    cs.enforce(rows_a, rows_b, rows_c);
  }
  return Boolean::is(result, value);
}

/// (a or 1 - a) * (b or 1 - b) = result
Boolean product(Builder& cs, Variable a, bool negate_a, Variable b, bool negate_b, bool value) {
  const Variable result = cs.alloc_bit(value);
  if (cs.wants_rows()) {
    SmallCombination factor_a, factor_b;
    if (negate_a) factor_a.add(kOne, kPlus);
    factor_a.add(a, negate_a ? kMinus : kPlus);
    if (negate_b) factor_b.add(kOne, kPlus);
    factor_b.add(b, negate_b ? kMinus : kPlus);
    const Term rows_c[] = {{result, kPlus}};
    cs.enforce(factor_a.terms(), factor_b.terms(), rows_c);
  }
  return Boolean::is(result, value);
}

}  // namespace

const Fr& power_of_two(unsigned exponent) {
  static const std::array<Fr, Fr::kBits> table = [] {
    std::array<Fr, Fr::kBits> powers;
    powers[0] = Fr::one();
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1].doubled();
    return powers;
  }();
  return table[exponent];
}

Boolean alloc_boolean(Builder& cs, bool value) {
  const Variable bit = cs.alloc_bit(value);
  if (cs.wants_rows()) {
    const Term rows_a[] = {{kOne, kPlus}, {bit, kMinus}};
    const Term rows_b[] = {{bit, kPlus}};
    cs.enforce(rows_a, rows_b, {});
  }
  return Boolean::is(bit, value);
}

Boolean logical_xor(Builder& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value() ? !b : b;
  if (b.is_constant()) return b.value() ? !a : a;
  if (a.kind() == b.kind()) return xor_variables(cs, a.variable(), b.variable(), a.value() != b.value());
  // is xor not = not (is xor is), with the plain variable first.
  const Boolean& plain = a.kind() == Kind::kIs ? a : b;
  const Boolean& negated = a.kind() == Kind::kIs ? b : a;
  return !xor_variables(cs, plain.variable(), negated.variable(), a.value() == b.value());
}

Boolean logical_and(Builder& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant(false) || b.is_constant(false)) return Boolean::constant(false);
  if (a.is_constant(true)) return b;
  if (b.is_constant(true)) return a;
  const bool value = a.value() && b.value();
  if (a.kind() == b.kind()) {
    const bool negate = a.kind() == Kind::kNot;
    return product(cs, a.variable(), negate, b.variable(), negate, value);
  }
  // The plain variable is the first factor.
  const Boolean& plain = a.kind() == Kind::kIs ? a : b;
  const Boolean& negated = a.kind() == Kind::kIs ? b : a;
  return product(cs, plain.variable(), false, negated.variable(), true, value);
}

Boolean logical_nor(Builder& cs, const Boolean& a, const Boolean& b) {
  return product(cs, a.variable(), true, b.variable(), true, !a.value() && !b.value());
}

Boolean sha256_choice(Builder& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = a.value() ? b.value() : c.value();
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant(false)) return c;
  if (b.is_constant(false)) return logical_and(cs, !a, c);
  if (c.is_constant(false)) return logical_and(cs, a, b);
  if (c.is_constant(true)) return !logical_and(cs, a, !b);
  if (b.is_constant(true)) return !logical_and(cs, !a, !c);
  // A constant true `a` takes the general row too, as in the reference.
  const Variable result = cs.alloc_bit(value);
  if (cs.wants_rows()) {
    // (b - c) * a = result - c
    SmallCombination difference, selector, right;
    b.add_to(difference, kPlus);
    c.add_to(difference, kMinus);
    a.add_to(selector, kPlus);
    right.add(result, kPlus);
    c.add_to(right, kMinus);
    cs.enforce(difference.terms(), selector.terms(), right.terms());
  }
  return Boolean::is(result, value);
}

Boolean sha256_majority(Builder& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = (a.value() && b.value()) != (c.value() && (a.value() != b.value()));
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant(false)) return logical_and(cs, b, c);
  if (b.is_constant(false)) return logical_and(cs, a, c);
  if (c.is_constant(false)) return logical_and(cs, a, b);
  if (c.is_constant(true)) return !logical_and(cs, !a, !b);
  if (b.is_constant(true)) return !logical_and(cs, !a, !c);
  if (a.is_constant(true)) return !logical_and(cs, !b, !c);
  const Variable result = cs.alloc_bit(value);
  const Boolean bc = logical_and(cs, b, c);
  if (cs.wants_rows()) {
    // (2bc - b - c) * a = bc - result
    SmallCombination left, selector, right;
    bc.add_to(left, power_of_two(1));
    b.add_to(left, kMinus);
    c.add_to(left, kMinus);
    a.add_to(selector, kPlus);
    bc.add_to(right, kPlus);
    right.add(result, kMinus);
    cs.enforce(left.terms(), selector.terms(), right.terms());
  }
  return Boolean::is(result, value);
}

}  // namespace proofline::gadgets
