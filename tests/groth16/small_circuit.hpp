#pragma once
/// A small circuit. setup_test.cpp has random ones with variables of every density.
#include "base/progress.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"

namespace proofline::test {

using math::Fr;

/// y = x^3 + x + 5 with y public, then a chain of `extra` squarings of x.
inline r1cs::Circuit cubic(std::uint64_t x_value, int extra = 3, bool wrong = false) {
  return [=](r1cs::Builder& cs) {
    const r1cs::Scope scope(cs, "cubic");
    const Fr one = Fr::one();
    const Fr x = Fr::from_u64(x_value);
    const r1cs::Variable y_in = cs.alloc_input(x * x * x + x + Fr::from_u64(wrong ? 6 : 5));
    const r1cs::Variable vx = cs.alloc(x);
    const r1cs::Variable vx2 = cs.alloc(x * x);
    const r1cs::Variable vx3 = cs.alloc(x * x * x);
    if (cs.wants_rows()) {
      const r1cs::Term tx[] = {{vx, one}};
      const r1cs::Term tx2[] = {{vx2, one}};
      const r1cs::Term tx3[] = {{vx3, one}};
      const r1cs::Term t1[] = {{r1cs::kOne, one}};
      const r1cs::Term sum[] = {{vx3, one}, {vx, one}, {r1cs::kOne, Fr::from_u64(5)}};
      const r1cs::Term ty[] = {{y_in, one}};
      cs.enforce(tx, tx, tx2);
      cs.enforce(tx2, tx, tx3);
      cs.enforce(sum, t1, ty);
    }
    Fr last = x;
    r1cs::Variable v_last = vx;
    for (int i = 0; i < extra; ++i) {
      const r1cs::Scope step(cs, "square", i);
      last = last.square();
      const r1cs::Variable v = cs.alloc(last);
      if (cs.wants_rows()) {
        const r1cs::Term from[] = {{v_last, one}};
        const r1cs::Term to[] = {{v, one}};
        cs.enforce(from, from, to);
      }
      v_last = v;
    }
  };
}

inline r1cs::StructuredR1cs recorded_cubic(std::uint64_t x, int extra = 3) {
  return r1cs::record(cubic(x, extra));
}

/// Records the circuit and makes its witness and a proof with them.
inline groth16::Proof prove_circuit(const r1cs::Circuit& circuit,
                                    std::shared_ptr<const groth16::MappedParameters> parameters,
                                    groth16::Blinding blinding, const Executor& exec) {
  return groth16::prove(r1cs::record(circuit), r1cs::generate_witness(circuit, exec), std::move(parameters),
                        std::move(blinding), exec);
}

inline Fr cubic_output(std::uint64_t x) {
  const Fr v = Fr::from_u64(x);
  return v * v * v + v + Fr::from_u64(5);
}

}  // namespace proofline::test
