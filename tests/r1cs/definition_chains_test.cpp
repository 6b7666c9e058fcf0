#include "r1cs/definition_chains.hpp"

#include <gtest/gtest.h>

#include <set>

#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

/// One instance with derived variables; squares[i] is the square of derived variable i - 1, or of a stored one.
Template squares_of(std::span<const int> of) {
  const StructuredR1cs circuit = record([&](Builder& cs) {
    const Variable stored = cs.alloc(Fr::from_u64(3));
    std::vector<Variable> derived;
    for (const int from : of) {
      const Variable factor = from < 0 ? stored : derived[static_cast<std::size_t>(from)];
      derived.push_back(cs.alloc_derived(Fr()));
      if (!cs.wants_rows()) continue;
      const Term a[] = {{factor, Fr::one()}}, c[] = {{derived.back(), Fr::one()}};
      cs.enforce(a, a, c);
    }
  });
  return circuit.templates.at(0);
}

std::vector<std::vector<std::uint32_t>> rows_of(const std::vector<std::vector<Definition>>& chains) {
  std::vector<std::vector<std::uint32_t>> out;
  for (const auto& chain : chains) {
    out.emplace_back();
    for (const Definition& definition : chain) out.back().push_back(definition.row);
  }
  return out;
}

TEST(DefinitionChains, PartWhereNothingDerivedIsShared) {
  using Rows = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(rows_of(definition_chains(squares_of(std::array{-1, -1, 0, 2, 1}))), (Rows{{0, 2, 3}, {1, 4}}));
  EXPECT_EQ(rows_of(definition_chains(squares_of(std::array{-1, -1, -1}))), (Rows{{0}, {1}, {2}}));
  EXPECT_EQ(rows_of(definition_chains(squares_of(std::array{-1, 0, 0, 1}))), (Rows{{0, 1, 2, 3}}));
  EXPECT_TRUE(definition_chains(Template{}).empty());
}

TEST(DefinitionChains, HoldAllDefinitionsEachAfterWhatItNeeds) {
  std::size_t chains = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const StructuredR1cs circuit = record(test::RandomCircuit{.seed = seed, .with_derived = true});
    for (const Template& t : circuit.templates) {
      std::set<std::uint32_t> unknown, defined;
      for (const std::uint32_t place : t.derived) unknown.insert(t.outer_fields + place);
      for (const std::vector<Definition>& chain : definition_chains(t)) {
        ++chains;
        std::set<std::uint32_t> known;
        for (const Definition& definition : chain) {
          for (const Matrix matrix : kMatrices)
            for (const Op& op : t.part(definition.row, matrix)) {
              if (!op.operand.is_field() || op.operand.slot() == definition.slot) continue;
              EXPECT_TRUE(!unknown.contains(op.operand.slot()) || known.contains(op.operand.slot()));
            }
          known.insert(definition.slot);
          EXPECT_TRUE(defined.insert(definition.slot).second);
        }
      }
      EXPECT_EQ(defined, unknown);
    }
  }
  EXPECT_GT(chains, 10U);
}

}  // namespace
}  // namespace proofline::r1cs
