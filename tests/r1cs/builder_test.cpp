#include "r1cs/builder.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/circuits.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
using test::RowStore;

Fr fr(std::uint64_t v) {
  return Fr::from_u64(v);
}

TEST(Builder, OneIsTheFirstInput) {
  Builder builder(nullptr, Keep::kWitness);
  EXPECT_EQ(builder.num_inputs(), 1U);
  EXPECT_EQ(builder.value(kOne), Fr::one());
  EXPECT_EQ(builder.alloc_input(fr(7)), Variable::input(1));
  EXPECT_EQ(builder.alloc(fr(8)), Variable::aux(0));
  EXPECT_EQ(builder.alloc_bit(true), Variable::aux(1));
  const FlatWitness witness = builder.take_flat_witness();
  EXPECT_EQ(witness.inputs, (std::vector<Fr>{fr(1), fr(7)}));
  EXPECT_EQ(witness.aux, (std::vector<Fr>{fr(8), Fr::one()}));
}

TEST(Builder, RowsAreSortedMergedAndFreeOfZeros) {
  RowStore store;
  Builder builder(&store, Keep::kNothing);
  const Variable x = builder.alloc(fr(0));
  const Variable y = builder.alloc(fr(0));
  const Term a[] = {{y, fr(2)}, {kOne, fr(5)}, {x, fr(1)}, {y, fr(3)}};
  const Term b[] = {{x, fr(1)}, {x, -fr(1)}};
  const Term c[] = {{x, Fr::zero()}, {y, fr(9)}};
  builder.enforce(a, b, c);
  ASSERT_EQ(store.rows.size(), 1U);
  const auto& row = store.rows[0];
  ASSERT_EQ(row.a.size(), 3U);
  EXPECT_EQ(row.a[0].variable, kOne);
  EXPECT_EQ(row.a[1].variable, x);
  EXPECT_EQ(row.a[2].variable, y);
  EXPECT_EQ(row.a[2].coefficient, fr(5));
  EXPECT_TRUE(row.b.empty());
  ASSERT_EQ(row.c.size(), 1U);
  EXPECT_EQ(row.c[0].coefficient, fr(9));
}

TEST(Builder, InputsComeBeforeAux) {
  EXPECT_LT(Variable::input(0x7fffffff), Variable::aux(0));
  EXPECT_TRUE(Variable::aux(5).is_aux());
  EXPECT_EQ(Variable::aux(5).index(), 5U);
}

/// x * x = y, inside nested scopes, with a wrong y where asked.
Circuit squares(std::uint64_t wrong_at) {
  return [wrong_at](Builder& cs) {
    for (std::uint64_t i = 0; i < 4; ++i) {
      const Scope outer(cs, "square", static_cast<std::int64_t>(i));
      const Scope inner(cs, "body");
      const Variable x = cs.alloc(fr(i + 2));
      const Variable y = cs.alloc(fr((i + 2) * (i + 2) + (i == wrong_at ? 1 : 0)));
      if (cs.wants_rows()) {
        const Term left[] = {{x, fr(1)}};
        const Term right[] = {{y, fr(1)}};
        cs.enforce(left, left, right);
      }
    }
  };
}

TEST(SatisfactionChecker, NamesTheFirstBrokenRow) {
  EXPECT_EQ(test::run_circuit(squares(99)).first_broken, "");
  EXPECT_EQ(test::run_circuit(squares(2)).first_broken, "constraint 2 at square[2]/body");
}

TEST(SatisfactionChecker, ThrowsWithThePath) {
  SatisfactionChecker checker;
  Builder builder(&checker, Keep::kWitness);
  squares(0)(builder);
  EXPECT_FALSE(checker.satisfied());
  try {
    checker.require_satisfied();
    FAIL() << "expected UnsatisfiedError";
  } catch (const UnsatisfiedError& error) {
    EXPECT_NE(std::string(error.what()).find("square[0]/body"), std::string::npos) << error.what();
  }
}

TEST(Builder, ModesAgree) {
  const test::CircuitRun both = test::run_circuit(squares(99));
  Builder witness_only(nullptr, Keep::kWitness);
  squares(99)(witness_only);
  EXPECT_EQ(generate_flat_witness(squares(99), Executor(1)).aux, both.witness.aux);
  EXPECT_EQ(witness_only.num_constraints(), 0U);
  RowDigest digest;
  Builder shape_only(&digest, Keep::kNothing);
  squares(99)(shape_only);
  EXPECT_TRUE(shape_only.take_witness().fields.empty());
  EXPECT_EQ(shape_only.num_constraints(), 4U);
  EXPECT_EQ(digest.finish(), both.digest);
}

TEST(RowCounter, CountsNonzerosAndDensities) {
  const Shape shape = test::run_circuit(squares(99)).shape;
  EXPECT_EQ(shape, (Shape{1, 8, 4, 4, 4, 4, 4, 0, 4}));
}

}  // namespace
}  // namespace proofline::r1cs
