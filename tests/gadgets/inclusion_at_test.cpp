#include "gadgets/inclusion_at.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/sha256.hpp"
#include "math/poseidon.hpp"
#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

Fr parent(TreeHash hash, const std::vector<Fr>& children) {
  if (hash == TreeHash::kPoseidon) {
    return math::poseidon(math::poseidon_constants(static_cast<unsigned>(children.size())), children);
  }
  Sha256 digest;
  for (const Fr& child : children) digest.update(child.to_bytes());
  auto bytes = digest.finish();
  bytes[31] &= 0x3f;
  return *Fr::from_bytes(bytes);
}

/// A path of given arities to `position`, by definition.
struct Path {
  Path(TreeHash tree_hash, const std::vector<unsigned>& arities, std::uint64_t at) : hash(tree_hash), position(at) {
    root = leaf;
    for (const unsigned arity : arities) {
      std::vector<Fr>& level = siblings.emplace_back();
      for (unsigned i = 1; i < arity; ++i) level.push_back(Fr::from_u64(arity * 1000 + i + bits));
      std::vector<Fr> children = level;
      children.insert(children.begin() + static_cast<std::ptrdiff_t>(at % arity), root);
      root = parent(hash, children);
      at /= arity;
      for (unsigned a = arity; a > 1; a /= 2) ++bits;
    }
  }

  void enforce(Builder& cs, const Fr& against) const {
    std::vector<Boolean> position_bits;
    for (unsigned i = 0; i < bits; ++i) position_bits.push_back(alloc_boolean(cs, (position >> i) & 1));
    std::vector<std::vector<Number>> path;
    for (const auto& level : siblings) {
      std::vector<Number>& numbers = path.emplace_back();
      for (const Fr& sibling : level) numbers.push_back(alloc_number(cs, sibling));
    }
    enforce_inclusion_at(cs, hash, position_bits, path, alloc_number(cs, against), alloc_number(cs, leaf));
  }

  TreeHash hash;
  std::uint64_t position;
  unsigned bits = 0;
  Fr leaf = Fr::from_u64(77), root;
  std::vector<std::vector<Fr>> siblings;
};

TEST(InclusionAt, HoldsForTheRootAndThePositionOnly) {
  const std::vector<std::pair<TreeHash, std::vector<unsigned>>> cases = {{TreeHash::kSha256, {2, 2}},
                                                                         {TreeHash::kPoseidon, {8, 8}},
                                                                         {TreeHash::kPoseidon, {8, 4, 2}},
                                                                         {TreeHash::kSha256, {}}};
  for (const auto& [hash, arities] : cases) {
    Path path(hash, arities, arities.empty() ? 0 : 2);
    const auto circuit = [&](Builder& cs) { path.enforce(cs, path.root); };
    EXPECT_EQ(test::run_circuit(circuit).first_broken, "");
    test::expect_same_forms(circuit);
    EXPECT_NE(test::run_circuit([&](Builder& cs) { path.enforce(cs, path.root + Fr::one()); }).first_broken, "");
    if (arities.empty()) continue;
    path.position ^= 1;
    EXPECT_NE(test::run_circuit([&](Builder& cs) { path.enforce(cs, path.root); }).first_broken, "");
  }
}

// Of the 1,062 rows of enforce_inclusion with a private root the one that makes the position public is missing.
TEST(InclusionAt, TakesItsPositionFromOutside) {
  const Path path(TreeHash::kPoseidon, {8, 8}, 9);
  const auto run = test::run_circuit([&](Builder& cs) { path.enforce(cs, path.root); });
  EXPECT_EQ(run.shape.num_inputs, 1U);
  EXPECT_EQ(run.shape.num_constraints, 1'062U - 1);
}

RC_GTEST_PROP(Select, GivesTheElementAtTheIndex, ()) {
  const unsigned count_bits = *rc::gen::inRange(0U, 8U);
  const std::uint64_t index = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << count_bits);
  Number selected;
  const auto circuit = [&](Builder& cs) {
    std::vector<Number> from;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << count_bits; ++i)
      from.push_back(alloc_number(cs, Fr::from_u64(100 + i)));
    std::vector<Boolean> bits;
    for (unsigned i = 0; i < count_bits; ++i) bits.push_back(alloc_boolean(cs, (index >> i) & 1));
    const std::uint64_t before = cs.num_constraints();
    selected = select(cs, from, bits);
    if (cs.wants_rows()) {
      EXPECT_EQ(cs.num_constraints() - before, from.size() - 1);
    }
  };
  RC_ASSERT(test::run_circuit(circuit).first_broken.empty());
  RC_ASSERT(selected.value == Fr::from_u64(100 + index));
}

TEST(Select, AnotherResultBreaksARow) {
  test::RowStore rows;
  r1cs::Builder cs(&rows, r1cs::Keep::kWitness);
  std::vector<Number> from;
  for (std::uint64_t i = 0; i < 4; ++i) from.push_back(alloc_number(cs, Fr::from_u64(i)));
  const std::vector<Boolean> bits{alloc_boolean(cs, true), alloc_boolean(cs, false)};
  const Number selected = select(cs, from, bits);
  r1cs::FlatWitness witness = cs.take_flat_witness();
  EXPECT_TRUE(std::ranges::all_of(rows.rows, [&](const auto& row) { return row.holds(witness); }));
  witness.aux[selected.variable.index()] += Fr::one();
  EXPECT_FALSE(std::ranges::all_of(rows.rows, [&](const auto& row) { return row.holds(witness); }));
}

}  // namespace
}  // namespace proofline::gadgets
