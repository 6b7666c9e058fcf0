#pragma once
/// A small circuit by hand whose sizes fit no word, warp or block, and random witnesses for any circuit.
#include <algorithm>
#include <random>
#include <vector>

#include "r1cs/builder.hpp"
#include "r1cs/structured.hpp"

namespace proofline::test {

/// 4 inputs, of which the second is in B; 101 bits, of which some occur nowhere; 71 elements; and three instances with
/// derived variables: one chain with a part of 71 elements and a run of 41 bits, one of a single definition.
inline void odd_circuit(r1cs::Builder& cs) {
  using math::Fr;
  using r1cs::Term;
  using r1cs::Variable;
  const Fr one = Fr::one();
  std::vector<Variable> inputs, bits, elements;
  std::vector<Fr> values;
  for (const unsigned value : {5U, 7U, 11U}) inputs.push_back(cs.alloc_input(Fr::from_u64(value)));
  const auto is_one = [](std::size_t i) { return i % 3 == 0 || i % 7 == 2; };
  for (std::size_t i = 0; i < 101; ++i) {
    bits.push_back(cs.alloc_bit(is_one(i)));
    if (i % 5 == 4 || !cs.wants_rows()) continue;
    const Term a[] = {{r1cs::kOne, one}, {bits[i], -one}}, b[] = {{bits[i], one}};
    cs.enforce(a, b, {});
  }
  for (std::size_t i = 0; i < 71; ++i) {
    values.push_back(Fr::from_u64(1000003 * (i + 1)).square().square());
    elements.push_back(cs.alloc(values[i]));
  }
  for (int instance = 0; instance < 3; ++instance) {
    const r1cs::Scope scope(cs, "mix", instance);
    std::vector<Term> sum_terms, run_terms;
    Fr sum;
    Fr by = Fr::from_u64(3);
    for (std::size_t i = 0; i < 41; ++i, by = by.doubled()) {
      sum_terms.push_back({bits[i + 9], by});
      if (is_one(i + 9)) sum += by;
    }
    for (std::size_t i = 0; i < 71; ++i) {
      const Fr coefficient = i % 4 == 0 ? one : i % 4 == 1 ? -one : Fr::from_u64(17 * i);
      sum_terms.push_back({elements[i], coefficient});
      sum += values[i] * coefficient;
    }
    const Fr seven = Fr::from_u64(7);
    const Fr product = sum * seven;                       // by the second input
    const Fr negative = Fr::from_u64(9) - product * sum;  // product * sum = 9 - negative
    const Fr lone = values[static_cast<std::size_t>(instance)].square();
    const Fr out = negative * lone;
    const Variable p = cs.alloc_derived(product), n = cs.alloc_derived(negative), l = cs.alloc_derived(lone);
    const Variable stored = cs.alloc(out);
    if (!cs.wants_rows()) continue;
    const auto enforce = [&](std::vector<Term> a, std::vector<Term> b, std::vector<Term> c) { cs.enforce(a, b, c); };
    enforce(sum_terms, {{inputs[1], one}}, {{p, one}});
    enforce({{p, one}}, sum_terms, {{r1cs::kOne, Fr::from_u64(9)}, {n, -one}});
    const Variable own = elements[static_cast<std::size_t>(instance)];
    enforce({{own, one}}, {{own, one}}, {{l, one}});
    enforce({{n, one}}, {{l, one}}, {{stored, one}});
  }
}

/// Any values of the circuit's kinds; they need not satisfy it.
inline r1cs::CompactWitness random_witness(const r1cs::StructuredR1cs& circuit, std::uint64_t seed) {
  using math::Fr;
  std::mt19937_64 random(seed);
  const auto element = [&] { return Fr::from_canonical({random(), random(), random(), random() >> 2}); };
  r1cs::CompactWitness out;
  out.kinds = circuit.kinds;
  out.inputs.resize(circuit.num_inputs);
  out.fields.resize(circuit.kinds->num_stored());
  for (Fr& value : out.inputs) value = element();
  out.inputs[0] = Fr::one();
  for (Fr& value : out.fields) value = random() % 4 == 0 ? Fr::minus_one() : element();
  const std::span<const std::uint64_t> fields = circuit.kinds->fields().bits().words();
  for (std::size_t i = 0; i < circuit.num_aux(); i += 64)
    out.bits.append(random() & ~fields[i / 64],
                    static_cast<unsigned>(std::min<std::size_t>(64, circuit.num_aux() - i)));
  return out;
}

}  // namespace proofline::test
