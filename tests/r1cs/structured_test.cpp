/// Everything that a structured circuit answers, against the same circuit row by row.
#include "r1cs/structured.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/left_product.hpp"
#include "r1cs/query_scalars.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuits.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
using test::RandomCircuit;

/// A circuit in all its forms.
struct Forms {
  explicit Forms(const Circuit& circuit, std::uint32_t max_rows)
      : flat(test::run_circuit(circuit)),
        structured(record(circuit, max_rows)),
        compact(generate_witness(circuit, Executor(2))) {
    Builder builder(&store, Keep::kNothing);
    circuit(builder);
  }
  test::CircuitRun flat;
  test::RowStore store;
  StructuredR1cs structured;
  CompactWitness compact;
};

/// All scalars of a query as elements.
std::vector<Fr> all_scalars(const Forms& forms, Query query) {
  const Executor exec(2);
  QueryScalars scalars(forms.structured, forms.compact, query, exec);
  std::vector<Fr> out;
  for (math::CompactScalars piece; scalars.next(piece);) {
    auto field = piece.fields.begin();
    for (std::size_t i = 0; i < piece.size; ++i) {
      const auto at = [&](std::span<const std::uint64_t> words) { return ((words[i / 64] >> (i % 64)) & 1) != 0; };
      EXPECT_FALSE(at(piece.is_field) && at(piece.bits));
      out.push_back(at(piece.is_field) ? *field++ : at(piece.bits) ? Fr::one() : Fr::zero());
    }
    EXPECT_EQ(field, piece.fields.end());
  }
  EXPECT_LE(
      static_cast<std::size_t>(std::ranges::count_if(out, [](const Fr& x) { return !x.is_zero() && !x.is_one(); })),
      scalars.max_fields());
  return out;
}

/// One long scope, which no instance may hold whole, and rows between its parts.
Circuit long_circuit(std::uint32_t rows) {
  return [rows](Builder& cs) {
    const Scope scope(cs, "long");
    Variable last = cs.alloc(Fr::from_u64(3));
    Fr value = Fr::from_u64(3);
    for (std::uint32_t i = 0; i < rows; ++i) {
      const bool named = i % 5 != 0;
      std::optional<Scope> inner;
      if (named) inner.emplace(cs, "step", i);
      value = value.square();
      const Variable next = cs.alloc(value);
      if (cs.wants_rows()) {
        const Term from[] = {{last, Fr::one()}};
        const Term to[] = {{next, Fr::one()}};
        cs.enforce(from, from, to);
      }
      last = next;
    }
  };
}

/// A seed, and the most rows that an instance may have: one makes every row an instance, the last a whole circuit.
class StructuredCircuits : public testing::TestWithParam<std::tuple<std::uint64_t, std::uint32_t>> {
 protected:
  std::uint64_t seed() const { return std::get<0>(GetParam()); }
  std::uint32_t max_rows() const { return std::get<1>(GetParam()); }
  Forms forms{RandomCircuit{.seed = seed(), .with_derived = max_rows() >= 20}, max_rows()};
};

TEST_P(StructuredCircuits, HaveTheFlatOnesShapeDigestAndRows) {
  EXPECT_EQ(forms.structured.shape(), forms.flat.shape);
  EXPECT_EQ(digest(forms.structured), forms.flat.digest);
  std::size_t i = 0;
  for_each_row(forms.structured, 0, forms.structured.num_constraints, [&](const Row& row) {
    const auto same = [](Terms got, const std::vector<Term>& expected) {
      return std::equal(got.begin(), got.end(), expected.begin(), expected.end(), [](const Term& x, const Term& y) {
        return x.variable == y.variable && x.coefficient == y.coefficient;
      });
    };
    ASSERT_LT(i, forms.store.rows.size());
    EXPECT_TRUE(same(row.a, forms.store.rows[i].a) && same(row.b, forms.store.rows[i].b) &&
                same(row.c, forms.store.rows[i].c))
        << i;
    ++i;
  });
  EXPECT_EQ(i, forms.store.rows.size());
}

TEST_P(StructuredCircuits, NameEveryRow) {
  for (std::size_t i = 0; i < forms.store.rows.size(); ++i)
    EXPECT_EQ(forms.structured.path_of_row(i), forms.store.rows[i].path) << i;
}

TEST_P(StructuredCircuits, EvaluateEveryRowAndAnyRange) {
  const std::size_t n = forms.store.rows.size();
  std::vector<Fr> a(n), b(n), c(n);
  for (const unsigned threads : {1U, 3U}) {
    evaluate_rows(forms.structured, forms.compact, 0, n, {a, b, c}, Executor(threads));
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(a[i], test::evaluate(forms.store.rows[i].a, forms.flat.witness)) << i;
      ASSERT_EQ(b[i], test::evaluate(forms.store.rows[i].b, forms.flat.witness)) << i;
      ASSERT_EQ(c[i], test::evaluate(forms.store.rows[i].c, forms.flat.witness)) << i;
    }
  }
  std::mt19937_64 rng(seed());
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t begin = rng() % n, end = begin + rng() % (n - begin + 1);
    std::vector<Fr> some_a(end - begin), some_c(end - begin);
    evaluate_rows(forms.structured, forms.compact, begin, end, {some_a, {}, some_c}, Executor(2));
    EXPECT_TRUE(std::equal(some_a.begin(), some_a.end(), a.begin() + static_cast<std::ptrdiff_t>(begin)));
    EXPECT_TRUE(std::equal(some_c.begin(), some_c.end(), c.begin() + static_cast<std::ptrdiff_t>(begin)));
  }
  EXPECT_EQ(first_broken_row(forms.structured, forms.compact, Executor(2)), std::nullopt);
}

TEST_P(StructuredCircuits, MultiplyFromTheLeft) {
  const std::size_t inputs = forms.structured.num_inputs;
  const std::size_t variables = inputs + forms.structured.num_aux();
  std::vector<Fr> weights(forms.store.rows.size());
  std::mt19937_64 rng(seed());
  for (Fr& weight : weights) weight = Fr::from_u64(rng()) * Fr::from_u64(rng());
  std::array<std::vector<Fr>, 3> expected;
  expected.fill(std::vector<Fr>(variables));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto& row = forms.store.rows[i];
    const std::vector<Term>* const parts[] = {&row.a, &row.b, &row.c};
    for (std::size_t m = 0; m < 3; ++m)
      for (const Term& term : *parts[m])
        expected[m][term.variable.index() + (term.variable.is_aux() ? inputs : 0)] += term.coefficient * weights[i];
  }
  for (const std::size_t step : {variables, variables / 3 + 1, std::size_t{17}}) {
    for (std::size_t begin = 0; begin < variables; begin += step) {
      const std::size_t end = std::min(begin + step, variables);
      std::array<std::vector<Fr>, 3> sums;
      sums.fill(std::vector<Fr>(end - begin, Fr::from_u64(99)));
      left_product(forms.structured, weights, begin, end, {sums[0], sums[1], sums[2]}, Executor(3));
      for (std::size_t m = 0; m < 3; ++m)
        for (std::size_t v = begin; v < end; ++v) ASSERT_EQ(sums[m][v - begin], expected[m][v]) << m << ' ' << v;
    }
  }
}

TEST_P(StructuredCircuits, SelectTheVariablesThatOccur) {
  const std::size_t inputs = forms.structured.num_inputs;
  for (const Matrix matrix : kMatrices) {
    std::vector<bool> input_occurs(inputs), aux_occurs(forms.structured.num_aux());
    for (const auto& row : forms.store.rows)
      for (const Term& term : matrix == Matrix::kA ? row.a : matrix == Matrix::kB ? row.b : row.c)
        (term.variable.is_aux() ? aux_occurs : input_occurs)[term.variable.index()] = true;
    const BitArray used = used_aux(forms.structured, matrix, 0, forms.structured.num_aux());
    ASSERT_EQ(used.size(), aux_occurs.size());
    for (std::size_t i = 0; i < used.size(); ++i) ASSERT_EQ(used.get(i), aux_occurs[i]) << i;
    EXPECT_EQ(count_used_aux(forms.structured, matrix), std::count(aux_occurs.begin(), aux_occurs.end(), true));
    for (std::uint32_t begin = 64; begin < used.size(); begin += 192) {
      const auto end = std::min<std::uint32_t>(begin + 150, forms.structured.num_aux());
      const BitArray part = used_aux(forms.structured, matrix, begin, end);
      ASSERT_EQ(part.size(), end - begin);
      for (std::uint32_t i = begin; i < end; ++i) ASSERT_EQ(part.get(i - begin), aux_occurs[i]) << i;
    }
    for (const bool all_inputs : {false, true}) {
      std::vector<Fr> expected;
      for (std::size_t i = 0; i < inputs; ++i)
        if (all_inputs || input_occurs[i]) expected.push_back(forms.flat.witness.inputs[i]);
      for (std::size_t i = 0; i < aux_occurs.size(); ++i)
        if (aux_occurs[i]) expected.push_back(forms.flat.witness.aux[i]);
      if (matrix == Matrix::kC || all_inputs != (matrix == Matrix::kA)) continue;
      EXPECT_EQ(all_scalars(forms, matrix == Matrix::kA ? Query::kA : Query::kB), expected);
    }
    EXPECT_EQ(all_scalars(forms, Query::kAux), forms.flat.witness.aux);
  }
}

TEST_P(StructuredCircuits, GiveEveryValueOfTheWitness) {
  EXPECT_EQ(to_flat(forms.structured, forms.compact, Executor(3)).aux, forms.flat.witness.aux);
  EXPECT_EQ(*forms.compact.kinds, *forms.structured.kinds);
}

TEST_P(StructuredCircuits, KnowThePlacesOfFieldElements) {
  for (const Query query : {Query::kAux, Query::kA, Query::kB}) {
    SCOPED_TRACE(static_cast<int>(query));
    const Executor exec(2);
    QueryScalars scalars(forms.structured, forms.compact, query, exec);
    std::vector<std::uint32_t> expected;
    std::uint32_t place = 0;
    for (math::CompactScalars piece; scalars.next(piece);) {
      for (std::size_t i = 0; i < piece.size; ++i, ++place)
        if (((piece.is_field[i / 64] >> (i % 64)) & 1) != 0) expected.push_back(place);
    }
    EXPECT_EQ(field_places(forms.structured, query), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StructuredCircuits,
                         testing::Combine(testing::Range<std::uint64_t>(1, 9),
                                          testing::Values(1U, 20U, 150U, CircuitRecorder::kMaxRows)));

TEST(Structured, EqualGadgetsShareATemplate) {
  // Chains of squares and products: x <- x * x, or x <- x * first, twenty rows a gadget, each seventh a product.
  const Circuit circuit = [](Builder& cs) {
    const Variable first = cs.alloc(Fr::from_u64(5));
    Variable last = first;
    Fr value = Fr::from_u64(5);
    for (int i = 0; i < 300; ++i) {
      const Scope scope(cs, "gadget", i);
      for (int k = 0; k < 20; ++k) {
        const bool product = i % 7 == 3;
        value = product ? value * Fr::from_u64(5) : value.square();
        const Variable next = cs.alloc(value);
        if (cs.wants_rows()) {
          const Term left[] = {{last, Fr::one()}};
          const Term right[] = {{first, Fr::one()}};
          const Term out[] = {{next, Fr::one()}};
          cs.enforce(left, product ? right : left, out);
        }
        last = next;
      }
    }
  };
  const Forms forms(circuit, 20);
  EXPECT_EQ(forms.structured.placements.size(), 301U);  // and the first variable
  EXPECT_EQ(forms.structured.templates.size(), 3U);
  EXPECT_EQ(digest(forms.structured), forms.flat.digest);
  EXPECT_EQ(forms.structured.shape(), forms.flat.shape);
  EXPECT_EQ(first_broken_row(forms.structured, forms.compact, Executor(2)), std::nullopt);
}

TEST(Structured, InstancesLieSideBySideWithoutGaps) {
  const StructuredR1cs circuit = record(RandomCircuit{5}, 100);
  std::uint64_t row = 0;
  std::uint32_t aux = 0;
  for (const Placement& placement : circuit.placements) {
    EXPECT_EQ(placement.row_base, row);
    EXPECT_EQ(placement.aux_base, aux);
    EXPECT_EQ(placement.field_base, circuit.kinds->stored_rank(aux));
    row += circuit.template_of(placement).num_rows();
    aux += circuit.template_of(placement).num_aux;
  }
  EXPECT_EQ(row, circuit.num_constraints);
  EXPECT_EQ(aux, circuit.num_aux());
}

TEST(Structured, AnExtraRowInsideOneInstanceChangesTheDigest) {
  const RandomCircuit good{7};
  for (const int instance : {0, 11, 39}) {
    RandomCircuit changed = good;
    changed.extra_row_in = instance;
    const StructuredR1cs other = record(changed, 100);
    EXPECT_NE(digest(other), digest(record(good, 100)));
    EXPECT_EQ(digest(other), test::run_circuit(changed).digest);
    EXPECT_GT(other.num_constraints, record(good, 100).num_constraints);
  }
}

TEST(Structured, TheFirstBrokenRowIsNamedByItsPath) {
  for (const int instance : {0, 1, 17, 38}) {
    RandomCircuit circuit{9};
    circuit.wrong_value_in = instance;
    const std::string expected = test::run_circuit(circuit).first_broken;
    ASSERT_NE(expected, "");
    const StructuredR1cs structured = record(RandomCircuit{9}, 100);
    CompactWitness witness = generate_witness(circuit, Executor(1));
    for (const unsigned threads : {1U, 3U}) {
      try {
        require_satisfied(structured, witness, Executor(threads));
        FAIL() << "expected UnsatisfiedError";
      } catch (const UnsatisfiedError& error) {
        EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what() << "\n" << expected;
      }
    }
  }
}

TEST(Structured, AnyFlippedBitBreaksARow) {
  const Forms forms{RandomCircuit{2, 10}, 50};
  std::mt19937_64 rng(1);
  for (int trial = 0; trial < 40; ++trial) {
    FlatWitness flat = forms.flat.witness;
    const std::size_t i = rng() % flat.aux.size();
    flat.aux[i] = forms.compact.kinds->is_field(i) ? flat.aux[i] + Fr::one() : Fr::one() - flat.aux[i];
    const CompactWitness changed = CompactWitness::from_flat(flat, forms.structured.kinds);
    std::optional<std::uint64_t> expected;
    for (std::size_t row = 0; row < forms.store.rows.size() && !expected; ++row)
      if (!forms.store.rows[row].holds(flat)) expected = row;
    EXPECT_EQ(first_broken_row(forms.structured, changed, Executor(2)), expected) << i;
  }
}

/// Two scopes; the second uses what the first allocates as derived.
Circuit derived_across_scopes() {
  return [](Builder& cs) {
    const Variable x = cs.alloc(Fr::from_u64(3));
    const auto square = [&](Variable from, std::uint64_t value) {
      const Scope scope(cs, "square");
      const Variable out = cs.alloc_derived(Fr::from_u64(value));
      if (cs.wants_rows()) {
        const Term in[] = {{from, Fr::one()}};
        const Term result[] = {{out, Fr::one()}};
        cs.enforce(in, in, result);
      }
      return out;
    };
    square(square(x, 9), 81);
  };
}

TEST(Derived, MayNotLeaveTheirInstance) {
  const StructuredR1cs whole = record(derived_across_scopes());
  EXPECT_EQ(whole.kinds->num_derived(), 2U);
  EXPECT_EQ(to_flat(whole, generate_witness(derived_across_scopes(), Executor(1)), Executor(1)).aux,
            (std::vector<Fr>{Fr::from_u64(3), Fr::from_u64(9), Fr::from_u64(81)}));
  try {
    record(derived_across_scopes(), 1);
    FAIL() << "expected Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("square refers to aux 1, which is derived in another instance"),
              std::string::npos)
        << error.what();
  }
}

TEST(Derived, NeedARowThatDefinesThem) {
  const auto circuit = [](const Fr& coefficient, bool in_a) {
    return [=](Builder& cs) {
      const Variable x = cs.alloc(Fr::from_u64(3));
      const Variable y = cs.alloc_derived(Fr());
      if (!cs.wants_rows()) return;
      const Term known[] = {{x, Fr::one()}};
      const Term unknown[] = {{y, coefficient}};
      cs.enforce(in_a ? unknown : known, known, unknown);
    };
  };
  EXPECT_NO_THROW(record(circuit(Fr::one(), false)));
  EXPECT_NO_THROW(record(circuit(Fr::minus_one(), false)));
  EXPECT_THROW(record(circuit(Fr::from_u64(2), false)), Error);
  EXPECT_THROW(record(circuit(Fr::one(), true)), Error);
}

TEST(Structured, AWitnessOfAnotherCircuitIsRefused) {
  const StructuredR1cs circuit = record(RandomCircuit{2}, 100);
  const CompactWitness other = generate_witness(RandomCircuit{3}, Executor(1));
  std::vector<Fr> a(1);
  EXPECT_THROW(evaluate_rows(circuit, other, 0, 1, {a, {}, {}}, Executor(1)), InputError);
}

TEST(Structured, LongScopesAreCutAndKeepTheirDigest) {
  for (const std::uint32_t rows : {CircuitRecorder::kMaxRows, CircuitRecorder::kMaxRows + 1, 150'001U}) {
    const Circuit circuit = long_circuit(rows);
    const StructuredR1cs structured = record(circuit);
    RowDigest flat;
    Builder builder(&flat, Keep::kNothing);
    circuit(builder);
    EXPECT_EQ(digest(structured), flat.finish());
    EXPECT_EQ(structured.num_constraints, rows);
    EXPECT_EQ(first_broken_row(structured, generate_witness(circuit, Executor(2)), Executor(2)), std::nullopt);
    EXPECT_EQ(structured.path_of_row(0), "long");
    EXPECT_EQ(structured.path_of_row(rows - 2),
              "long" + ((rows - 2) % 5 == 0 ? "" : "/step[" + std::to_string(rows - 2) + "]"));
  }
}

TEST(Structured, AStretchWithoutScopesIsCutToo) {
  const std::uint32_t rows = 2 * CircuitRecorder::kMaxRows + 77;
  const Circuit circuit = [rows](Builder& cs) {
    const Variable bit = cs.alloc_bit(true);
    const Term a[] = {{kOne, Fr::one()}, {bit, -Fr::one()}};
    const Term b[] = {{bit, Fr::one()}};
    if (cs.wants_rows())
      for (std::uint32_t i = 0; i < rows; ++i) cs.enforce(a, b, {});
  };
  const StructuredR1cs structured = record(circuit);
  EXPECT_EQ(structured.num_constraints, rows);
  EXPECT_GT(structured.placements.size(), 1U);
  EXPECT_EQ(first_broken_row(structured, generate_witness(circuit, Executor(1)), Executor(1)), std::nullopt);
}

TEST(Structured, AnEmptyCircuitIsACircuit) {
  const StructuredR1cs empty = record([](Builder&) {});
  EXPECT_EQ(empty.shape(), (Shape{1, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(digest(empty), RowDigest().finish());
}

}  // namespace
}  // namespace proofline::r1cs
