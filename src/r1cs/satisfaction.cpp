#include "r1cs/satisfaction.hpp"

#include "base/error.hpp"

namespace proofline::r1cs {

using math::Fr;

Fr evaluate(Terms terms, const Witness& witness) {
  Fr sum;
  for (const Term& term : terms) {
    const Fr& value = witness.at(term.variable);
    if (value.is_zero()) continue;
    sum += value.is_one() ? term.coefficient : term.coefficient * value;
  }
  return sum;
}

void SatisfactionChecker::row(const Builder& builder, const Row& row) {
  if (!satisfied()) return;
  const Witness& witness = builder.witness();
  if (evaluate(row.a, witness) * evaluate(row.b, witness) == evaluate(row.c, witness)) return;
  broken_path_ = "constraint " + std::to_string(builder.num_constraints()) + " at " + builder.path();
}

void SatisfactionChecker::require_satisfied() const {
  if (!satisfied()) throw UnsatisfiedError("the witness does not satisfy the circuit: first broken is " + broken_path_);
}

}  // namespace proofline::r1cs
