#pragma once
/// Variables and terms of a rank-1 constraint system.
#include <compare>
#include <cstdint>
#include <span>

#include "math/fr.hpp"

namespace proofline::r1cs {

/// A public input (input 0 is the constant ONE) or an auxiliary (private) variable.
/// Ordered as the reference's digests are: inputs before aux, each by allocation order.
class Variable {
 public:
  /// The constant ONE.
  constexpr Variable() : raw_(0) {}
  static constexpr Variable input(std::uint32_t index) { return Variable(index); }
  static constexpr Variable aux(std::uint32_t index) { return Variable(index | kAuxFlag); }

  constexpr bool is_input() const { return (raw_ & kAuxFlag) == 0; }
  constexpr bool is_aux() const { return !is_input(); }
  /// Position among the inputs or among the aux variables.
  constexpr std::uint32_t index() const { return raw_ & ~kAuxFlag; }
  constexpr auto operator<=>(const Variable&) const = default;

 private:
  static constexpr std::uint32_t kAuxFlag = 0x80000000U;
  constexpr explicit Variable(std::uint32_t raw) : raw_(raw) {}
  std::uint32_t raw_;
};

inline constexpr Variable kOne = Variable::input(0);

struct Term {
  Variable variable;
  math::Fr coefficient;
};

/// A linear combination as handed around: for a Row the terms ascend strictly by variable and no
/// coefficient is zero.
using Terms = std::span<const Term>;

/// One constraint <a, w> * <b, w> = <c, w>.
struct Row {
  Terms a, b, c;
};

}  // namespace proofline::r1cs
