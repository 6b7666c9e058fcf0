#include "gadgets/multi_equality.hpp"

namespace proofline::gadgets {

void MultiEquality::begin(unsigned bits) {
  if (used_ + bits >= Fr::kCapacity) flush();
  base_ = used_;
  used_ += bits;
}

void MultiEquality::add_left(const Boolean& bit, unsigned position) {
  if (cs_.wants_rows()) bit.add_to(left_, power_of_two(base_ + position));
}

void MultiEquality::add_right(const Boolean& bit, unsigned position) {
  if (cs_.wants_rows()) bit.add_to(right_, power_of_two(base_ + position));
}

void MultiEquality::flush() {
  if (used_ == 0) return;
  if (cs_.wants_rows()) {
    const r1cs::Term one[] = {{r1cs::kOne, Fr::one()}};
    cs_.enforce(left_.terms, one, right_.terms);
  }
  left_.terms.clear();
  right_.terms.clear();
  used_ = 0;
}

}  // namespace proofline::gadgets
