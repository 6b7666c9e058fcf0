#include "gadgets/merkle.hpp"

#include <gtest/gtest.h>

#include "base/sha256.hpp"
#include "gadgets/insertion.hpp"
#include "math/poseidon.hpp"
#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

Fr sha256_node(const Fr& left, const Fr& right) {
  std::array<std::uint8_t, 64> bytes;
  const auto l = left.to_bytes();
  const auto r = right.to_bytes();
  std::copy(l.begin(), l.end(), bytes.begin());
  std::copy(r.begin(), r.end(), bytes.begin() + 32);
  auto digest = proofline::sha256(bytes);
  digest[31] &= 0x3f;
  return *Fr::from_bytes(digest);
}

TEST(Insertion, PutsTheElementAtEveryIndex) {
  for (const std::size_t arity : {2U, 4U, 8U})
    for (std::size_t index = 0; index < arity; ++index) {
      const auto run = test::run_circuit([&](Builder& cs) {
        std::vector<Number> others;
        for (std::size_t i = 1; i < arity; ++i) others.push_back(alloc_number(cs, Fr::from_u64(i)));
        const Number element = alloc_number(cs, Fr::from_u64(100));
        std::vector<Boolean> bits;
        for (std::size_t i = 1; i < arity; i *= 2) bits.push_back(alloc_boolean(cs, (index & i) != 0));
        const std::vector<Number> all = insert(cs, element, bits, others);
        ASSERT_EQ(all.size(), arity);
        for (std::size_t i = 0; i < arity; ++i) {
          const std::uint64_t expected = i == index ? 100 : i < index ? i + 1 : i;
          EXPECT_EQ(all[i].value, Fr::from_u64(expected)) << arity << ' ' << index << ' ' << i;
        }
      });
      EXPECT_EQ(run.first_broken, "");
    }
}

/// A path of given arities with random siblings, its leaf and root.
struct RandomPath {
  std::vector<std::vector<Fr>> siblings;
  std::vector<PathLevel> levels;
  Fr leaf, root;
  std::uint64_t packed_index = 0;

  RandomPath(TreeHash hash, const std::vector<unsigned>& arities) {
    leaf = *Fr::from_bytes(std::array<std::uint8_t, 32>{1, 2, 3});
    root = leaf;
    unsigned shift = 0;
    for (const unsigned arity : arities) {
      std::vector<Fr> level;
      for (unsigned i = 1; i < arity; ++i) level.push_back(Fr::from_u64(arity * 1000 + i));
      const unsigned index = arity - 1 - shift % arity;
      std::vector<Fr> children = level;
      children.insert(children.begin() + index, root);
      root = hash == TreeHash::kSha256 ? sha256_node(children[0], children[1])
                                       : math::poseidon(math::poseidon_constants(arity), children);
      siblings.push_back(std::move(level));
      packed_index |= std::uint64_t{index} << shift;
      levels.push_back({{}, index});
      for (unsigned a = arity; a > 1; a /= 2) ++shift;
    }
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i].siblings = siblings[i];
  }
};

test::CircuitRun run_inclusion(TreeHash hash, const RandomPath& path, const Fr& root) {
  return test::run_circuit([&](Builder& cs) {
    enforce_inclusion(cs, hash, path.levels, alloc_number(cs, root), alloc_number(cs, path.leaf));
  });
}

TEST(Merkle, InclusionHoldsForTheRootOnly) {
  const std::vector<std::pair<TreeHash, std::vector<unsigned>>> cases = {
      {TreeHash::kSha256, {2, 2, 2}},   {TreeHash::kPoseidon, {8, 8}},       {TreeHash::kPoseidon, {8, 8, 2}},
      {TreeHash::kPoseidon, {8, 8, 4}}, {TreeHash::kPoseidon, {8, 8, 8, 2}}, {TreeHash::kPoseidon, {2, 2}}};
  for (const auto& [hash, arities] : cases) {
    const RandomPath path(hash, arities);
    const auto good = run_inclusion(hash, path, path.root);
    EXPECT_EQ(good.first_broken, "");
    ASSERT_EQ(good.witness.inputs.size(), 2U);
    EXPECT_EQ(good.witness.inputs[1], Fr::from_u64(path.packed_index));
    EXPECT_NE(run_inclusion(hash, path, path.root + Fr::one()).first_broken, "");
    for (const Fr& root : {path.root, path.root + Fr::one()})
      test::expect_same_forms([&](Builder& cs) {
        enforce_inclusion(cs, hash, path.levels, alloc_number(cs, root), alloc_number(cs, path.leaf));
      });
  }
}

TEST(Merkle, RowsAreThoseTheReferenceAsserts) {
  // rust-fil-proofs storage-proofs-core PoR tests: 64 leaves for base 2/4/8 (public root: one row more),
  // FACTS: poseidon base 2/4/8 private 1,886 / 1,163 / 1,062 and sha256 base 2 272,295 public.
  EXPECT_EQ(run_inclusion(TreeHash::kPoseidon, RandomPath(TreeHash::kPoseidon, {2, 2, 2, 2, 2, 2}), Fr())
                .shape.num_constraints,
            1'886U);
  EXPECT_EQ(run_inclusion(TreeHash::kPoseidon, RandomPath(TreeHash::kPoseidon, {4, 4, 4}), Fr()).shape.num_constraints,
            1'163U);
  EXPECT_EQ(run_inclusion(TreeHash::kPoseidon, RandomPath(TreeHash::kPoseidon, {8, 8}), Fr()).shape.num_constraints,
            1'062U);
  EXPECT_EQ(
      run_inclusion(TreeHash::kSha256, RandomPath(TreeHash::kSha256, {2, 2, 2, 2, 2, 2}), Fr()).shape.num_constraints,
      272'294U);
}

}  // namespace
}  // namespace proofline::gadgets
