#pragma once
/// Helpers for tests that run circuit code.
#include <functional>
#include <string>
#include <vector>

#include "r1cs/builder.hpp"
#include "r1cs/row_digest.hpp"
#include "r1cs/satisfaction.hpp"
#include "support/row_counter.hpp"

namespace proofline::test {

/// What one run of a circuit in "both" mode gives.
struct CircuitRun {
  r1cs::Shape shape;
  r1cs::FlatWitness witness;
  std::array<std::uint8_t, 32> digest;
  std::string first_broken;  ///< empty when satisfied
};

inline CircuitRun run_circuit(const r1cs::Circuit& circuit) {
  RowCounter counter;
  r1cs::RowDigest digest;
  r1cs::SatisfactionChecker checker;
  r1cs::RowTee tee({&counter, &digest, &checker});
  r1cs::Builder builder(&tee, r1cs::Keep::kWitness);
  circuit(builder);
  const r1cs::Shape shape = counter.shape(builder);
  return {shape, builder.take_flat_witness(), digest.finish(), checker.first_broken()};
}

/// Value of a row's part by definition.
inline math::Fr evaluate(r1cs::Terms terms, const r1cs::FlatWitness& witness) {
  math::Fr sum;
  for (const r1cs::Term& term : terms) sum += term.coefficient * witness.at(term.variable);
  return sum;
}

/// Keeps the rows of small circuits.
class RowStore : public r1cs::RowSink {
 public:
  struct Stored {
    std::vector<r1cs::Term> a, b, c;
    std::string path;
    bool holds(const r1cs::FlatWitness& witness) const {
      return evaluate(a, witness) * evaluate(b, witness) == evaluate(c, witness);
    }
  };
  void row(const r1cs::Builder& builder, const r1cs::Row& row) override {
    rows.push_back(
        {{row.a.begin(), row.a.end()}, {row.b.begin(), row.b.end()}, {row.c.begin(), row.c.end()}, builder.path()});
  }
  std::vector<Stored> rows;
};

}  // namespace proofline::test
