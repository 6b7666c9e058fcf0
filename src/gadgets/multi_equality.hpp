#pragma once
/// Equalities of small integers, several to a row: each pair is shifted past the ones before it, and a
/// row is enforced when the next pair would not fit in 254 bits. Source: bellperson's MultiEq.
#include <vector>

#include "gadgets/boolean.hpp"

namespace proofline::gadgets {

class MultiEquality {
 public:
  explicit MultiEquality(Builder& cs) : cs_(cs) {}
  MultiEquality(const MultiEquality&) = delete;
  MultiEquality& operator=(const MultiEquality&) = delete;

  /// Opens an equality of two sums below 2^bits; enforces the pending row first where it is full.
  /// Then add_left and add_right add bit * 2^position to its sides.
  void begin(unsigned bits);
  void add_left(const Boolean& bit, unsigned position);
  void add_right(const Boolean& bit, unsigned position);
  /// Enforces the pending row, if any. Call at the end.
  void flush();

 private:
  struct Side {
    std::vector<r1cs::Term> terms;
    void add(Variable variable, const Fr& coefficient) { terms.push_back({variable, coefficient}); }
  };
  Builder& cs_;
  unsigned base_ = 0;  ///< shift of the open equality
  unsigned used_ = 0;  ///< bits taken in the pending row
  Side left_, right_;
};

}  // namespace proofline::gadgets
