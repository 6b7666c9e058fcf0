#include "groth16/assignment.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "math/ntt.hpp"
#include "r1cs/satisfaction.hpp"

namespace proofline::groth16 {

using math::Fr;

namespace {

void mark(Density& density, std::size_t index) {
  if (index >= density.size()) density.resize(std::max(index + 1, 2 * density.size()));
  density[index] = true;
}

class Evaluator final : public r1cs::RowSink {
 public:
  explicit Evaluator(Assignment& out) : out_(out) {}

  void row(const r1cs::Builder& builder, const r1cs::Row& row) override {
    const r1cs::Witness& witness = builder.witness();
    const Fr a = r1cs::evaluate(row.a, witness);
    const Fr b = r1cs::evaluate(row.b, witness);
    const Fr c = r1cs::evaluate(row.c, witness);
    if (!(a * b == c)) {
      throw UnsatisfiedError("the witness does not satisfy the circuit: first broken is constraint " +
                             std::to_string(builder.num_constraints()) + " at " + builder.path());
    }
    out_.a.push_back(a);
    out_.b.push_back(b);
    out_.c.push_back(c);
    for (const r1cs::Term& term : row.a)
      if (term.variable.is_aux()) mark(out_.a_aux, term.variable.index());
    for (const r1cs::Term& term : row.b)
      mark(term.variable.is_aux() ? out_.b_aux : out_.b_inputs, term.variable.index());
  }

 private:
  Assignment& out_;
};

}  // namespace

std::size_t count(const Density& density) {
  return static_cast<std::size_t>(std::count(density.begin(), density.end(), true));
}

Assignment assign(const r1cs::Circuit& circuit, std::size_t domain_hint) {
  Assignment out;
  for (auto* values : {&out.a, &out.b, &out.c}) values->reserve(domain_hint);
  Evaluator evaluator(out);
  r1cs::Builder builder(&evaluator, r1cs::Keep::kWitness);
  circuit(builder);
  out.num_constraints = builder.num_constraints();
  out.witness = builder.take_witness();
  out.a.insert(out.a.end(), out.witness.inputs.begin(), out.witness.inputs.end());
  const std::size_t domain = std::size_t{1} << math::Domain::log_size_for(out.a.size());
  for (auto* values : {&out.a, &out.b, &out.c}) values->resize(domain);
  out.a_aux.resize(out.witness.aux.size());
  out.b_aux.resize(out.witness.aux.size());
  out.b_inputs.resize(out.witness.inputs.size());
  return out;
}

}  // namespace proofline::groth16
