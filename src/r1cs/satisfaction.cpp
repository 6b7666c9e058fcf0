#include "r1cs/satisfaction.hpp"

#include "base/error.hpp"

namespace proofline::r1cs {

using math::Fr;

namespace {

Fr evaluate(Terms terms, const Builder& builder) {
  Fr sum;
  for (const Term& term : terms) sum += term.coefficient * builder.value(term.variable);
  return sum;
}

}  // namespace

void SatisfactionChecker::row(const Builder& builder, const Row& row) {
  if (!satisfied()) return;
  if (evaluate(row.a, builder) * evaluate(row.b, builder) == evaluate(row.c, builder)) return;
  broken_path_ = row_name(builder.num_constraints(), builder.path());
}

void SatisfactionChecker::require_satisfied() const {
  if (!satisfied()) throw_unsatisfied(broken_path_);
}

std::string row_name(std::uint64_t row, const std::string& path) {
  return "constraint " + std::to_string(row) + " at " + path;
}

void throw_unsatisfied(const std::string& first_broken) {
  throw UnsatisfiedError("the witness does not satisfy the circuit: first broken is " + first_broken);
}

}  // namespace proofline::r1cs
