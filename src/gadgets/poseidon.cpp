#include "gadgets/poseidon.hpp"

#include <cassert>

#include "gadgets/poseidon_values.hpp"

namespace proofline::gadgets {
namespace {

using math::Matrix;
using math::PoseidonConstants;
using math::SparseMatrix;
using r1cs::kOne;
using r1cs::LinearCombination;
using r1cs::Term;

constexpr Fr kPlus = Fr::one();

/// A state element: a variable, or a combination that no variable holds yet. Rows are wanted.
struct Element {
  Fr value;
  bool allocated = false;
  Variable variable;              ///< when allocated
  LinearCombination combination;  ///< when not allocated
};

class PoseidonCircuit {
 public:
  PoseidonCircuit(Builder& cs, const PoseidonConstants& constants, std::span<const Number> preimage)
      : cs_(cs), constants_(constants), state_(constants.width) {
    assert(preimage.size() == constants.arity);
    state_[0] = constant_element(constants.domain_tag);
    for (std::size_t i = 0; i < preimage.size(); ++i) state_[i + 1] = allocated(preimage[i]);
  }

  Number digest() {
    const unsigned half = constants_.full_rounds / 2;
    {
      const Scope scope(cs_, "full_round", 0);
      first_round();
    }
    multiply(constants_.mds);
    for (unsigned round = 1; round < half; ++round) {
      const Scope scope(cs_, "full_round", round);
      full_round(/*last=*/false);
      multiply(round + 1 == half ? constants_.pre_sparse : constants_.mds);
    }
    for (unsigned round = 0; round < constants_.partial_rounds; ++round) {
      const Scope scope(cs_, "partial_round", round);
      state_[0] = s_box(state_[0], &next_key());
      multiply(constants_.sparse[round]);
    }
    for (unsigned round = half; round < constants_.full_rounds; ++round) {
      const Scope scope(cs_, "full_round", round);
      full_round(round + 1 == constants_.full_rounds);
      multiply(constants_.mds);
    }
    const Scope scope(cs_, "digest");
    const Number digest = alloc_number(cs_, state_[1].value);
    enforce_combination(state_[1], digest);
    return digest;
  }

 private:
  static Element allocated(const Number& number) { return {number.value, true, number.variable, {}}; }
  Element constant_element(const Fr& value) const { return {value, false, {}, LinearCombination(kOne, value)}; }

  const Fr& next_key() { return constants_.compressed_round_constants[next_key_++]; }

  Number ensure_allocated(const Element& element) {
    if (element.allocated) return {element.variable, element.value};
    const Number number = alloc_derived(cs_, element.value);
    enforce_combination(element, number);
    return number;
  }

  void enforce_combination(const Element& element, const Number& number) {
    const Term one[] = {{kOne, kPlus}};
    const Term result[] = {{number.variable, kPlus}};
    cs_.enforce(element.combination.terms(), one, result);
  }

  Number square(const Number& x) {
    const Number out = alloc_derived(cs_, x.value.square());
    const Term factor[] = {{x.variable, kPlus}};
    const Term result[] = {{out.variable, kPlus}};
    cs_.enforce(factor, factor, result);
    return out;
  }

  /// x^5 + key as three rows; no key in the last round.
  Element s_box(const Element& element, const Fr* key) {
    const Number x = ensure_allocated(element);
    const Number x4 = square(square(x));
    const Number out = alloc_derived(cs_, key != nullptr ? x4.value * x.value + *key : x4.value * x.value);
    const Term factor[] = {{x.variable, kPlus}};
    const Term factor4[] = {{x4.variable, kPlus}};
    const Term result[] = {{out.variable, kPlus}, {kOne, key != nullptr ? -*key : Fr::zero()}};
    cs_.enforce(factor, factor4, result);
    return allocated(out);
  }

  /// (x + before)^5 + after.
  Element s_box_with_key_before(const Element& element, const Fr& before, const Fr& after) {
    const Number x = ensure_allocated(element);
    const Fr sum = x.value + before;
    const Term shifted[] = {{x.variable, kPlus}, {kOne, before}};
    const Number x2 = alloc_derived(cs_, sum.square());
    const Term squared[] = {{x2.variable, kPlus}};
    cs_.enforce(shifted, shifted, squared);
    const Number x4 = square(x2);
    const Number out = alloc_derived(cs_, x4.value * sum + after);
    const Term factor4[] = {{x4.variable, kPlus}};
    const Term result[] = {{out.variable, kPlus}, {kOne, -after}};
    cs_.enforce(shifted, factor4, result);
    return allocated(out);
  }

  void first_round() {
    const Fr* before = &constants_.compressed_round_constants[0];
    const Fr* after = before + constants_.width;
    next_key_ = 2 * constants_.width;
    const Fr tag = state_[0].value + before[0];
    state_[0] = constant_element(tag.square().square() * tag + after[0]);
    for (std::size_t i = 1; i < state_.size(); ++i) {
      const Scope scope(cs_, "s_box", static_cast<std::int64_t>(i));
      state_[i] = s_box_with_key_before(state_[i], before[i], after[i]);
    }
  }

  void full_round(bool last) {
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const Scope scope(cs_, "s_box", static_cast<std::int64_t>(i));
      state_[i] = s_box(state_[i], last ? nullptr : &next_key());
    }
  }

  void accumulate(Element& sum, const Element& element, const Fr& scale) const {
    sum.value += element.value * scale;
    if (element.allocated) {
      sum.combination.add_scaled(LinearCombination(element.variable), scale);
    } else {
      sum.combination.add_scaled(element.combination, scale);
    }
  }

  void multiply(const Matrix& matrix) {
    std::vector<Element> next(state_.size());
    for (std::size_t j = 0; j < next.size(); ++j)
      for (std::size_t i = 0; i < state_.size(); ++i) accumulate(next[j], state_[i], matrix.at(i, j));
    state_ = std::move(next);
  }

  void multiply(const SparseMatrix& matrix) {
    Element first;
    for (std::size_t i = 0; i < state_.size(); ++i) accumulate(first, state_[i], matrix.first_column[i]);
    for (std::size_t j = 1; j < state_.size(); ++j) {
      if (state_[j].allocated) {
        state_[j].combination = LinearCombination(state_[j].variable);
        state_[j].allocated = false;
      }
      accumulate(state_[j], state_[0], matrix.first_row_rest[j - 1]);
    }
    state_[0] = std::move(first);
  }

  Builder& cs_;
  const PoseidonConstants& constants_;
  std::vector<Element> state_;
  std::size_t next_key_ = 0;
};

}  // namespace

Number poseidon(Builder& cs, const math::PoseidonConstants& constants, std::span<const Number> preimage) {
  if (!cs.wants_rows()) return poseidon_values(cs, constants, preimage);
  return PoseidonCircuit(cs, constants, preimage).digest();
}

}  // namespace proofline::gadgets
