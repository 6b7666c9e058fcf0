#include "gadgets/poseidon.hpp"

#include <gtest/gtest.h>

#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

std::vector<Number> alloc_all(Builder& cs, std::span<const Fr> values) {
  std::vector<Number> out;
  for (const Fr& value : values) out.push_back(alloc_number(cs, value));
  return out;
}

TEST(PoseidonGadget, DigestAndRowsForEachArity) {
  // Rows: rust-fil-proofs asserts 311 for arity 2 and 598 for arity 11; the rest follows from 4 rows an
  // S-box (3 in the first round, whose inputs are variables) and one for the digest.
  for (const auto& [arity, rows] :
       std::vector<std::pair<unsigned, unsigned>>{{2, 311}, {4, 377}, {8, 505}, {11, 598}}) {
    const math::PoseidonConstants& constants = math::poseidon_constants(arity);
    std::vector<Fr> preimage;
    for (unsigned i = 0; i < arity; ++i) preimage.push_back(Fr::random());
    Number digest;
    const auto run = test::run_circuit([&](Builder& cs) { digest = poseidon(cs, constants, alloc_all(cs, preimage)); });
    EXPECT_EQ(digest.value, math::poseidon(constants, preimage)) << arity;
    EXPECT_EQ(run.shape.num_constraints, rows) << arity;
    EXPECT_EQ(run.first_broken, "") << arity;
  }
}

TEST(PoseidonGadget, IsTheSameInAllForms) {
  for (const unsigned arity : {2U, 4U, 8U, 11U}) {
    std::vector<Fr> preimage;
    for (unsigned i = 0; i < arity; ++i) preimage.push_back(i == 1 ? Fr::zero() : Fr::random());
    test::expect_same_forms(
        [&](Builder& cs) { poseidon(cs, math::poseidon_constants(arity), alloc_all(cs, preimage)); });
  }
}

TEST(PoseidonGadget, AWrongDigestBreaksTheLastRow) {
  test::RowStore store;
  Builder cs(&store, r1cs::Keep::kWitness);
  const std::vector<Fr> preimage = {Fr::one(), Fr::from_u64(2)};
  const Number digest = poseidon(cs, math::poseidon_constants(2), alloc_all(cs, preimage));
  r1cs::FlatWitness witness = cs.take_flat_witness();
  witness.aux[digest.variable.index()] += Fr::one();
  const auto& row = store.rows.back();
  EXPECT_FALSE(row.holds(witness));
}

}  // namespace
}  // namespace proofline::gadgets
