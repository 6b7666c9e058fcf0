#include "r1cs/linear_combination.hpp"

namespace proofline::r1cs {

void LinearCombination::add_scaled(const LinearCombination& other, const math::Fr& scale) {
  std::vector<Term> merged;
  merged.reserve(terms_.size() + other.terms_.size());
  auto left = terms_.begin();
  for (const Term& term : other.terms_) {
    while (left != terms_.end() && left->variable < term.variable) merged.push_back(*left++);
    math::Fr coefficient = term.coefficient * scale;
    if (left != terms_.end() && left->variable == term.variable) coefficient += (left++)->coefficient;
    merged.push_back({term.variable, coefficient});
  }
  merged.insert(merged.end(), left, terms_.end());
  terms_ = std::move(merged);
}

}  // namespace proofline::r1cs
