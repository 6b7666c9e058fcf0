#include "gadgets/boolean.hpp"

#include <gtest/gtest.h>

#include "support/circuits.hpp"

namespace proofline::gadgets {
namespace {

/// The ten forms that an operand can take: constants, variables and negated variables of both values.
std::vector<Boolean> operands(Builder& cs) {
  const Boolean zero = alloc_boolean(cs, false);
  const Boolean one = alloc_boolean(cs, true);
  return {Boolean::constant(false), Boolean::constant(true), zero, one, !zero, !one};
}

/// Runs `op` on all triples of operand forms; checks values and satisfaction, and that no row is made
/// when all three are constants.
template <class Op, class Expected>
void check_all(const Op& op, const Expected& expected) {
  test::RowStore store;
  r1cs::SatisfactionChecker checker;
  r1cs::RowTee tee({&store, &checker});
  Builder cs(&tee, r1cs::Keep::kWitness);
  const std::vector<Boolean> forms = operands(cs);
  for (const Boolean& a : forms)
    for (const Boolean& b : forms)
      for (const Boolean& c : forms) {
        const std::size_t before = store.rows.size();
        const Boolean result = op(cs, a, b, c);
        EXPECT_EQ(result.value(), expected(a.value(), b.value(), c.value()));
        if (!result.is_constant()) {
          const bool stored = !cs.value(result.variable()).is_zero();
          EXPECT_EQ(result.kind() == Boolean::Kind::kNot ? !stored : stored, result.value());
        }
        if (a.is_constant() && b.is_constant() && c.is_constant()) {
          EXPECT_EQ(store.rows.size(), before);
        }
      }
  EXPECT_EQ(checker.first_broken(), "");
}

TEST(Boolean, Xor) {
  check_all([](Builder& cs, const Boolean& a, const Boolean& b, const Boolean&) { return logical_xor(cs, a, b); },
            [](bool a, bool b, bool) { return a != b; });
}

TEST(Boolean, And) {
  check_all([](Builder& cs, const Boolean& a, const Boolean& b, const Boolean&) { return logical_and(cs, a, b); },
            [](bool a, bool b, bool) { return a && b; });
}

TEST(Boolean, Sha256Choice) {
  check_all(sha256_choice, [](bool a, bool b, bool c) { return a ? b : c; });
}

TEST(Boolean, Sha256Majority) {
  check_all(sha256_majority, [](bool a, bool b, bool c) { return a + b + c >= 2; });
}

TEST(Boolean, RowsRejectTheWrongResult) {
  // A witness with a flipped result must break the row of the operation.
  for (const bool a_value : {false, true})
    for (const bool b_value : {false, true}) {
      test::RowStore store;
      Builder cs(&store, r1cs::Keep::kWitness);
      const Boolean a = alloc_boolean(cs, a_value);
      const Boolean b = alloc_boolean(cs, b_value);
      const Boolean results[] = {logical_xor(cs, a, b), logical_and(cs, a, b), logical_and(cs, a, !b),
                                 logical_nor(cs, a, b)};
      r1cs::FlatWitness witness = cs.take_flat_witness();
      for (std::size_t i = 0; i < std::size(results); ++i) {
        Fr& value = witness.aux[results[i].variable().index()];
        value = Fr::one() - value;
        const auto& row = store.rows[2 + i];
        EXPECT_FALSE(row.holds(witness));
      }
    }
}

TEST(Boolean, AllocatedBitMustBeABit) {
  test::RowStore store;
  Builder cs(&store, r1cs::Keep::kWitness);
  alloc_boolean(cs, true);
  r1cs::FlatWitness witness = cs.take_flat_witness();
  witness.aux[0] = Fr::from_u64(2);
  EXPECT_FALSE(store.rows[0].holds(witness));
}

}  // namespace
}  // namespace proofline::gadgets
