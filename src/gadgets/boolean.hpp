#pragma once
/// Bits in a circuit. The allocations and rows of every function are those of bellpepper's boolean
/// gadgets: one variable and one row for an operation on two variables, none where a constant decides.
#include "r1cs/builder.hpp"
#include "r1cs/linear_combination.hpp"

namespace proofline::gadgets {

using math::Fr;
using r1cs::Builder;
using r1cs::Scope;
using r1cs::Variable;

/// A constant, a boolean variable, or the negation of one. A value type of 12 bytes.
class Boolean {
 public:
  enum class Kind : std::uint8_t { kConstant, kIs, kNot };

  constexpr Boolean() = default;
  static constexpr Boolean constant(bool value) { return Boolean(Kind::kConstant, value, {}); }
  /// A variable that is already constrained to 0 or 1.
  static constexpr Boolean is(Variable variable, bool value) { return Boolean(Kind::kIs, value, variable); }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_constant() const { return kind_ == Kind::kConstant; }
  constexpr bool is_constant(bool value) const { return is_constant() && value_ == value; }
  /// The logical value, after negation.
  constexpr bool value() const { return value_; }
  /// The variable under kIs and kNot.
  constexpr Variable variable() const { return variable_; }
  constexpr Boolean operator!() const {
    return Boolean(kind_ == Kind::kIs ? Kind::kNot : kind_ == Kind::kNot ? Kind::kIs : kind_, !value_, variable_);
  }

  /// Adds coefficient * bit to a combination (anything with add(Variable, Fr)).
  template <class Combination>
  void add_to(Combination& combination, const Fr& coefficient) const {
    if (kind_ == Kind::kIs) {
      combination.add(variable_, coefficient);
    } else if (kind_ == Kind::kNot) {
      combination.add(r1cs::kOne, coefficient);
      combination.add(variable_, -coefficient);
    } else if (value_) {
      combination.add(r1cs::kOne, coefficient);
    }
  }

 private:
  constexpr Boolean(Kind kind, bool value, Variable variable) : variable_(variable), kind_(kind), value_(value) {}
  Variable variable_;
  Kind kind_ = Kind::kConstant;
  bool value_ = false;
};

/// A fresh variable with the row (1 - x) * x = 0.
Boolean alloc_boolean(Builder& cs, bool value);

Boolean logical_xor(Builder& cs, const Boolean& a, const Boolean& b);
Boolean logical_and(Builder& cs, const Boolean& a, const Boolean& b);
/// not a and not b, for two variables that are not negated.
Boolean logical_nor(Builder& cs, const Boolean& a, const Boolean& b);
/// SHA-256's choice (a and b) xor (not a and c) and majority of three.
Boolean sha256_choice(Builder& cs, const Boolean& a, const Boolean& b, const Boolean& c);
Boolean sha256_majority(Builder& cs, const Boolean& a, const Boolean& b, const Boolean& c);

/// 2^exponent as a field element, exponent < 255, from a table.
const Fr& power_of_two(unsigned exponent);

}  // namespace proofline::gadgets
