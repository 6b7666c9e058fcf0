#include "gadgets/number.hpp"

#include <algorithm>
#include <cassert>

namespace proofline::gadgets {
namespace {

using r1cs::kOne;
using r1cs::SmallCombination;
using r1cs::Term;

constexpr Fr kPlus = Fr::one();
constexpr Fr kMinus = Fr::minus_one();
const Term kOneTerm[] = {{kOne, kPlus}};

/// Collects terms for a long row.
struct TermList {
  std::vector<Term> terms;
  void add(Variable variable, const Fr& coefficient) { terms.push_back({variable, coefficient}); }
};

Fr packed_value(std::span<const Boolean> bits) {
  Fr::Limbs limbs{};
  for (std::size_t i = 0; i < bits.size(); ++i) limbs[i / 64] |= std::uint64_t{bits[i].value()} << (i % 64);
  return Fr::from_canonical(limbs);
}

void enforce_packing(Builder& cs, std::span<const Boolean> bits, Variable packed) {
  if (!cs.wants_rows()) return;
  TermList sum;
  sum.terms.reserve(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i].add_to(sum, power_of_two(static_cast<unsigned>(i)));
  const Term result[] = {{packed, kPlus}};
  cs.enforce(sum.terms, kOneTerm, result);
}

/// The lowest `count` bits of a value, each a boolean variable.
std::vector<Boolean> alloc_bits_of(Builder& cs, const Fr& value, unsigned count) {
  assert(count <= Fr::kBits);
  const Fr::Limbs limbs = value.to_canonical();
  const auto bit = [&](unsigned i) { return ((limbs[i / 64] >> (i % 64)) & 1) != 0; };
  std::vector<Boolean> bits;
  bits.reserve(count);
  if (!cs.wants_rows()) {
    for (unsigned begin = 0; begin < count; begin += 64) cs.alloc_bits(limbs[begin / 64], std::min(64U, count - begin));
    for (unsigned i = 0; i < count; ++i) bits.push_back(Boolean::is(Variable::aux(0), bit(i)));
    return bits;
  }
  for (unsigned i = 0; i < count; ++i) bits.push_back(alloc_boolean(cs, bit(i)));
  return bits;
}

void enforce_pick(Builder& cs, const Boolean& condition, const Number& a, const Number& b, const Number& picked) {
  if (!cs.wants_rows()) return;
  // (b - a) * condition = b - picked
  const Term difference[] = {{b.variable, kPlus}, {a.variable, kMinus}};
  SmallCombination selector;
  condition.add_to(selector, kPlus);
  const Term right[] = {{b.variable, kPlus}, {picked.variable, kMinus}};
  cs.enforce(difference, selector.terms(), right);
}

}  // namespace

Number alloc_number(Builder& cs, const Fr& value) {
  return {cs.alloc(value), value};
}

Number alloc_derived(Builder& cs, const Fr& value) {
  return {cs.alloc_derived(value), value};
}

void inputize(Builder& cs, const Number& number) {
  const Variable input = cs.alloc_input(number.value);
  if (!cs.wants_rows()) return;
  const Term left[] = {{input, kPlus}};
  const Term right[] = {{number.variable, kPlus}};
  cs.enforce(left, kOneTerm, right);
}

std::vector<Boolean> to_bits_le(Builder& cs, const Number& number) {
  const std::vector<Boolean> bits = alloc_bits_of(cs, number.value, Fr::kBits);
  if (!cs.wants_rows()) return bits;
  TermList sum;
  sum.terms.reserve(Fr::kBits + 1);
  sum.add(number.variable, kMinus);
  for (unsigned i = 0; i < Fr::kBits; ++i) sum.add(bits[i].variable(), power_of_two(i));
  cs.enforce({}, {}, sum.terms);
  return bits;
}

std::vector<Boolean> decompose(Builder& cs, const Number& number, unsigned count) {
  const std::vector<Boolean> bits = alloc_bits_of(cs, number.value, count);
  enforce_packing(cs, bits, number.variable);
  return bits;
}

void enforce_equal(Builder& cs, const Number& a, const Number& b) {
  if (!cs.wants_rows()) return;
  const Term left[] = {{a.variable, kPlus}};
  const Term right[] = {{b.variable, kPlus}};
  cs.enforce(left, kOneTerm, right);
}

Number add(Builder& cs, const Number& a, const Number& b) {
  const Number sum = alloc_number(cs, a.value + b.value);
  if (cs.wants_rows()) {
    const Term left[] = {{a.variable, kPlus}, {b.variable, kPlus}};
    const Term right[] = {{sum.variable, kPlus}};
    cs.enforce(left, kOneTerm, right);
  }
  return sum;
}

Number multiply(Builder& cs, const Number& a, const Number& b) {
  const Number product = alloc_number(cs, a.value * b.value);
  if (cs.wants_rows()) {
    const Term left[] = {{a.variable, kPlus}};
    const Term right[] = {{b.variable, kPlus}};
    const Term result[] = {{product.variable, kPlus}};
    cs.enforce(left, right, result);
  }
  return product;
}

Number pick(Builder& cs, const Boolean& condition, const Number& a, const Number& b) {
  const Number picked = alloc_derived(cs, condition.value() ? a.value : b.value);
  enforce_pick(cs, condition, a, b, picked);
  return picked;
}

Number pick_stored(Builder& cs, const Boolean& condition, const Number& a, const Number& b) {
  const Number picked = alloc_number(cs, condition.value() ? a.value : b.value);
  enforce_pick(cs, condition, a, b, picked);
  return picked;
}

Number pack_bits(Builder& cs, std::span<const Boolean> bits) {
  assert(bits.size() <= Fr::kCapacity);
  const Number packed = alloc_number(cs, packed_value(bits));
  enforce_packing(cs, bits, packed.variable);
  return packed;
}

void pack_into_inputs(Builder& cs, std::span<const Boolean> bits) {
  while (!bits.empty()) {
    const auto chunk = bits.first(std::min<std::size_t>(bits.size(), Fr::kCapacity));
    bits = bits.subspan(chunk.size());
    enforce_packing(cs, chunk, cs.alloc_input(packed_value(chunk)));
  }
}

std::vector<Boolean> reverse_bits_in_bytes(std::vector<Boolean> bits) {
  bits.resize((bits.size() + 7) / 8 * 8);
  for (std::size_t i = 0; i < bits.size(); i += 8) std::reverse(bits.begin() + i, bits.begin() + i + 8);
  return bits;
}

}  // namespace proofline::gadgets
