#pragma once
/// Linear combinations that circuit code builds before it enforces a row.
#include <array>
#include <cassert>
#include <cstddef>
#include <vector>

#include "r1cs/variable.hpp"

namespace proofline::r1cs {

/// A few terms on the stack, in any order, for the rows of boolean gadgets.
class SmallCombination {
 public:
  static constexpr std::size_t kCapacity = 8;

  void add(Variable variable, const math::Fr& coefficient) {
    assert(size_ < kCapacity);
    terms_[size_++] = {variable, coefficient};
  }
  Terms terms() const { return {terms_.data(), size_}; }

 private:
  std::array<Term, kCapacity> terms_;
  std::size_t size_ = 0;
};

/// A linear combination of any length; terms ascend strictly by variable.
class LinearCombination {
 public:
  LinearCombination() = default;
  explicit LinearCombination(Variable variable) : terms_{{variable, math::Fr::one()}} {}
  LinearCombination(Variable variable, const math::Fr& coefficient) : terms_{{variable, coefficient}} {}

  /// *this += scale * other, by one merge.
  void add_scaled(const LinearCombination& other, const math::Fr& scale);
  Terms terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

}  // namespace proofline::r1cs
