/// Every point of generated parameters against the QAP by its definition, on random circuits.
#include "groth16/setup.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "groth16/parameters.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup_scalars.hpp"
#include "math/ntt.hpp"
#include "small_circuit.hpp"
#include "support/indices.hpp"

namespace proofline::groth16 {
namespace {

using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;
using r1cs::Term;
using r1cs::Variable;

struct RandomCircuit {
  struct Row {
    std::vector<Term> a, b, c;
  };
  std::vector<Fr> inputs, aux;  ///< inputs without ONE
  std::vector<Row> rows;

  /// Variables that occur in A only, B only, both or C only, public inputs among them, some coefficients
  /// zero. Each random row gets a variable of its own that makes it hold.
  explicit RandomCircuit(std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    const auto number = [&](const Fr& third) {
      const auto kind = rng() % 4;
      return kind == 0 ? Fr::zero() : kind == 1 ? Fr::one() : kind == 2 ? third : Fr::from_u64(rng());
    };
    std::vector<Variable> variables = {r1cs::kOne};
    std::vector<Fr> values = {Fr::one()};
    for (std::uint32_t i = 0; i < 1 + seed % 5; ++i) {
      inputs.push_back(number(Fr::from_u64(2)));
      variables.push_back(Variable::input(i + 1));
      values.push_back(inputs.back());
    }
    for (std::uint32_t i = 0; i < 3 + seed % 9; ++i) {
      aux.push_back(number(Fr::from_u64(2)));
      variables.push_back(Variable::aux(i));
      values.push_back(aux.back());
    }
    std::vector<std::uint64_t> role(variables.size());
    for (auto& r : role) r = rng() % 4;
    for (std::uint64_t k = 0; k < 5 + seed % 40; ++k) {
      Row row;
      Fr a, b, c;
      const auto add = [&](std::vector<Term>& terms, Fr& sum, std::size_t j) {
        terms.push_back({variables[j], number(Fr::minus_one())});
        sum += terms.back().coefficient * values[j];
      };
      for (int t = 0; t < 4; ++t) {
        const std::size_t j = rng() % variables.size();
        if (role[j] == 0 || role[j] == 2) add(row.a, a, j);
        if (role[j] == 1 || role[j] == 2) add(row.b, b, j);
        if (role[j] == 3) add(row.c, c, j);
      }
      row.c.push_back({Variable::aux(static_cast<std::uint32_t>(aux.size())), Fr::one()});
      aux.push_back(a * b - c);
      rows.push_back(std::move(row));
    }
    // value * 1 = variable, so that none is unconstrained.
    for (std::size_t j = 0; j < variables.size(); ++j)
      rows.push_back({{{r1cs::kOne, values[j]}}, {{r1cs::kOne, Fr::one()}}, {{variables[j], Fr::one()}}});
  }

  r1cs::Circuit circuit() const {
    return [this](r1cs::Builder& cs) {
      for (const Fr& value : inputs) cs.alloc_input(value);
      for (const Fr& value : aux) cs.alloc(value);
      if (!cs.wants_rows()) return;
      for (const Row& row : rows) cs.enforce(row.a, row.b, row.c);
    };
  }
};

/// L_i(tau) by the product formula.
std::vector<Fr> lagrange_by_definition(const math::Domain& domain, const Fr& tau) {
  std::vector<Fr> out;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    Fr numerator = Fr::one(), denominator = Fr::one();
    const Fr own = domain.omega().pow(i);
    for (std::size_t j = 0; j < domain.size(); ++j) {
      if (j == i) continue;
      const Fr other = domain.omega().pow(j);
      numerator *= tau - other;
      denominator *= own - other;
    }
    out.push_back(numerator * denominator.inverse());
  }
  return out;
}

G1Affine in_g1(const Fr& scalar) {
  return (G1::generator() * scalar).to_affine();
}
G2Affine in_g2(const Fr& scalar) {
  return (G2::generator() * scalar).to_affine();
}

std::vector<G1Affine> all_points(const MappedParameters& parameters, const QueryLocation& query) {
  std::vector<G1Affine> out(query.count);
  parameters.read_g1(query)(test::first_indices(out.size()), out);
  return out;
}

/// The proof by its definition, in the exponents: who knows the waste needs no parameters.
Proof proof_by_definition(const RandomCircuit& circuit, const ToxicWaste& waste, const Fr& r, const Fr& s) {
  const std::size_t inputs = circuit.inputs.size() + 1;
  const math::Domain domain(math::Domain::log_size_for(circuit.rows.size() + inputs), Executor(1));
  const std::vector<Fr> lagrange = lagrange_by_definition(domain, waste.tau);
  const auto value = [&](Variable v) {
    return v == r1cs::kOne ? Fr::one() : v.is_aux() ? circuit.aux[v.index()] : circuit.inputs[v.index() - 1];
  };
  Fr a, b, c, of_inputs;  // sums over all variables; what the inputs have in l
  const auto add = [&](Fr& sum, const std::vector<Term>& terms, std::size_t row, const Fr& in_l) {
    for (const Term& term : terms) {
      const Fr share = term.coefficient * lagrange[row] * value(term.variable);
      sum += share;
      if (!term.variable.is_aux()) of_inputs += in_l * share;
    }
  };
  for (std::size_t row = 0; row < circuit.rows.size(); ++row) {
    add(a, circuit.rows[row].a, row, waste.beta);
    add(b, circuit.rows[row].b, row, waste.alpha);
    add(c, circuit.rows[row].c, row, Fr::one());
  }
  for (std::size_t i = 0; i < inputs; ++i)
    add(a, {{Variable::input(static_cast<std::uint32_t>(i)), Fr::one()}}, circuit.rows.size() + i, waste.beta);
  const Fr of_aux = waste.beta * a + waste.alpha * b + c - of_inputs;
  const Fr proof_a = waste.alpha + a + r * waste.delta;
  const Fr proof_b = waste.beta + b + s * waste.delta;
  const Fr proof_c = (a * b - c + of_aux) * waste.delta.inverse() + s * proof_a + r * proof_b - r * s * waste.delta;
  return {in_g1(proof_a), in_g2(proof_b), in_g1(proof_c)};
}

void expect_queries(const RandomCircuit& circuit, const ToxicWaste& waste, const MappedParameters& parameters) {
  const std::size_t inputs = circuit.inputs.size() + 1;
  const std::size_t variables = inputs + circuit.aux.size();
  const math::Domain domain(math::Domain::log_size_for(circuit.rows.size() + inputs), Executor(1));
  ASSERT_EQ(parameters.domain_size(), domain.size());
  const std::vector<Fr> lagrange = lagrange_by_definition(domain, waste.tau);
  std::vector<Fr> a(variables), b(variables), c(variables);
  const auto add = [&](std::vector<Fr>& sums, const std::vector<Term>& terms, std::size_t row) {
    for (const Term& term : terms)
      sums[term.variable.index() + (term.variable.is_aux() ? inputs : 0)] += term.coefficient * lagrange[row];
  };
  for (std::size_t row = 0; row < circuit.rows.size(); ++row) {
    add(a, circuit.rows[row].a, row);
    add(b, circuit.rows[row].b, row);
    add(c, circuit.rows[row].c, row);
  }
  for (std::size_t i = 0; i < inputs; ++i) a[i] += lagrange[circuit.rows.size() + i];

  std::vector<G1Affine> expected_a, expected_b, expected_ic, expected_l, expected_h;
  std::vector<G2Affine> expected_b2;
  for (std::size_t i = 0; i < variables; ++i) {
    if (!a[i].is_zero()) expected_a.push_back(in_g1(a[i]));
    if (!b[i].is_zero()) {
      expected_b.push_back(in_g1(b[i]));
      expected_b2.push_back(in_g2(b[i]));
    }
    const Fr sum = waste.beta * a[i] + waste.alpha * b[i] + c[i];
    (i < inputs ? expected_ic : expected_l).push_back(in_g1(sum * (i < inputs ? waste.gamma : waste.delta).inverse()));
  }
  Fr power = (waste.tau.pow(domain.size()) - Fr::one()) * waste.delta.inverse();
  for (std::size_t i = 0; i + 1 < domain.size(); ++i, power *= waste.tau) expected_h.push_back(in_g1(power));

  std::vector<G2Affine> b2(parameters.b_g2().count);
  parameters.read_g2(parameters.b_g2())(test::first_indices(b2.size()), b2);
  EXPECT_TRUE(all_points(parameters, parameters.a()) == expected_a);
  EXPECT_TRUE(all_points(parameters, parameters.b_g1()) == expected_b);
  EXPECT_TRUE(b2 == expected_b2);
  EXPECT_TRUE(all_points(parameters, parameters.h()) == expected_h);
  EXPECT_TRUE(all_points(parameters, parameters.l()) == expected_l);
  EXPECT_TRUE(parameters.verifying_key().ic == expected_ic);
}

TEST(SetupOfRandomCircuits, EveryPointIsTheQapsAndProofsHold) {
  const test::TempFolder folder;
  const Executor exec(2);
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCircuit circuit(seed);
    const ToxicWaste waste = ToxicWaste::insecure_from_seed(seed);
    generate_parameters(r1cs::record(circuit.circuit()), waste, folder / "p.params", exec, no_progress());
    const auto parameters = std::make_shared<MappedParameters>(folder / "p.params");
    expect_queries(circuit, waste, *parameters);

    const Fr r = Fr::random(), s = Fr::random();
    EXPECT_EQ(test::prove_circuit(circuit.circuit(), parameters, Blinding::insecure_for_tests(r, s), exec),
              proof_by_definition(circuit, waste, r, s));

    const PreparedVerifyingKey key(parameters->verifying_key());
    const Proof proof = test::prove_circuit(circuit.circuit(), parameters, Blinding::random(), exec);
    std::vector<Fr> inputs = circuit.inputs;
    EXPECT_TRUE(verify(key, inputs, proof));
    for (Fr& input : inputs) {
      input += Fr::one();
      EXPECT_FALSE(verify(key, inputs, proof));
      input -= Fr::one();
    }
  }
}

constexpr PointList kLists[] = {PointList::kIc, PointList::kH, PointList::kL, PointList::kA, PointList::kB};

/// The scalars of lists made in ranges of so many variables; blocks must follow one another.
std::map<PointList, std::vector<Fr>> made_scalars(const r1cs::StructuredR1cs& circuit, std::size_t range,
                                                  std::initializer_list<PointList> lists) {
  const Executor exec(2);
  const ToxicWaste waste = ToxicWaste::insecure_from_seed(9);
  const SetupScalars scalars(circuit, waste, exec, range);
  std::map<PointList, std::vector<Fr>> out;
  scalars.make(lists, [&](PointList list, std::size_t first, std::span<const Fr> block) {
    EXPECT_EQ(out[list].size(), first);
    EXPECT_FALSE(block.empty());
    out[list].insert(out[list].end(), block.begin(), block.end());
  });
  return out;
}

TEST(SetupScalarsOfRandomCircuits, AreTheSameInAnyRangesAndCompany) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const r1cs::StructuredR1cs circuit = r1cs::record(RandomCircuit(seed).circuit());
    std::map<PointList, std::vector<Fr>> alone;
    for (const PointList list : kLists) {
      auto made = made_scalars(circuit, SetupScalars::kVariables, {list});
      EXPECT_EQ(made.size(), 1U);
      EXPECT_EQ(made[list].size(), count_points(circuit, list));
      alone[list] = std::move(made[list]);
    }
    for (const std::size_t range : {1, 3, 1000}) {
      EXPECT_TRUE(made_scalars(circuit, range,
                               {PointList::kIc, PointList::kH, PointList::kL, PointList::kA, PointList::kB}) == alone);
    }
  }
}

}  // namespace
}  // namespace proofline::groth16
