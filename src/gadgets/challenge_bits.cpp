#include "gadgets/challenge_bits.hpp"

#include <algorithm>
#include <cassert>

#include "gadgets/poseidon.hpp"

namespace proofline::gadgets {
namespace {

using r1cs::kOne;
using r1cs::Term;

constexpr Fr kPlus = Fr::one();
const Term kOneTerm[] = {{kOne, kPlus}};

/// A fresh variable equal to partition * scale + offset.
Number digest_index(Builder& cs, const Number& partition, std::uint64_t scale, std::uint64_t offset) {
  const Fr scale_value = Fr::from_u64(scale), offset_value = Fr::from_u64(offset);
  const Number index = alloc_number(cs, partition.value * scale_value + offset_value);
  if (cs.wants_rows()) {
    const Term sum[] = {{partition.variable, scale_value}, {kOne, offset_value}};
    const Term result[] = {{index.variable, kPlus}};
    cs.enforce(sum, kOneTerm, result);
  }
  return index;
}

/// A fresh variable equal to bit ? number : 0.
Number number_or_zero(Builder& cs, const Number& number, const Boolean& bit) {
  const Number out = alloc_number(cs, bit.value() ? number.value : Fr::zero());
  if (cs.wants_rows()) {
    const Term left[] = {{number.variable, kPlus}};
    const Term right[] = {{bit.variable(), kPlus}};
    const Term result[] = {{out.variable, kPlus}};
    cs.enforce(left, right, result);
  }
  return out;
}

Number sum_of(Builder& cs, std::span<const Number> numbers) {
  Fr value;
  for (const Number& number : numbers) value += number.value;
  const Number sum = alloc_number(cs, value);
  if (cs.wants_rows()) {
    std::vector<Term> terms;
    for (const Number& number : numbers) terms.push_back({number.variable, kPlus});
    const Term result[] = {{sum.variable, kPlus}};
    cs.enforce(terms, kOneTerm, result);
  }
  return sum;
}

}  // namespace

std::vector<std::vector<Boolean>> challenge_bits(Builder& cs, const math::PoseidonConstants& constants,
                                                 const Number& seed, const Number& partition, std::size_t count,
                                                 std::size_t bits_each) {
  const std::size_t each_digest = Fr::kCapacity / bits_each;
  const std::size_t digests = (count + each_digest - 1) / each_digest;
  std::vector<std::vector<Boolean>> out;
  out.reserve(count);
  for (std::size_t j = 0; j < digests; ++j) {
    const Scope scope(cs, "digest", static_cast<std::int64_t>(j));
    const Number preimage[] = {seed, digest_index(cs, partition, digests, j)};
    const std::vector<Boolean> bits = decompose(cs, poseidon(cs, constants, preimage), Fr::kBits);
    for (std::size_t i = 0; i < each_digest && out.size() < count; ++i) {
      const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(i * bits_each);
      out.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(bits_each));
    }
  }
  return out;
}

Number selected_high_bits(Builder& cs, std::span<const Boolean> bits, std::span<const Boolean> selector,
                          std::span<const unsigned> widths) {
  assert(selector.size() == widths.size());
  std::vector<Number> candidates;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const Number high = pack_bits(cs, bits.last(widths[i]));
    candidates.push_back(number_or_zero(cs, high, selector[i]));
  }
  return sum_of(cs, candidates);
}

}  // namespace proofline::gadgets
