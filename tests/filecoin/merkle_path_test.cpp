#include "filecoin/merkle_path.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/tree_opener.hpp"
#include "filecoin/vanilla_json.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(MerklePath, TheReferencesPathsLeadToTheirRoots) {
  for (const std::string sector : {"2k-1", "8m-6-cc"}) {
    const VanillaProof proof = read_c1_file(test::data_path("sectors/" + sector + "/c1.json")).proof;
    for (const ChallengeProof& challenge : proof.partitions[0]) {
      const auto check = [&](TreeHash hash, const MerkleProof& merkle, std::uint64_t position) {
        EXPECT_EQ(path_root(hash, merkle.leaf, merkle.path), merkle.root) << sector;
        EXPECT_EQ(path_position(merkle.path), position) << sector;
      };
      check(TreeHash::kSha256, challenge.comm_d_proof, challenge.c_x.index);
      check(TreeHash::kPoseidon, challenge.comm_r_last_proof, challenge.c_x.index);
      check(TreeHash::kPoseidon, challenge.c_x.inclusion, challenge.c_x.index);
      for (const ColumnProof& parent : challenge.drg_parents)
        check(TreeHash::kPoseidon, parent.inclusion, parent.index);
    }
  }
}

TEST(MerklePath, PositionCountsEachLevelInItsOwnArity) {
  const auto level = [](unsigned arity, unsigned index) { return PathElement{std::vector<Fr>(arity - 1), index}; };
  EXPECT_EQ(path_position({}), 0U);
  // 8-8-2 with two base levels: 64 leaves a base tree, 8 of them a sub tree.
  const std::vector<PathElement> path = {level(8, 3), level(8, 5), level(8, 7), level(2, 1)};
  EXPECT_EQ(path_position(path), 3U + 8 * 5 + 64 * 7 + 512);
  EXPECT_EQ(path_position(std::vector<PathElement>(64, level(2, 1))), ~std::uint64_t{0});
  EXPECT_THAT([&] { path_position(std::vector<PathElement>(65, level(2, 1))); },
              ThrowsMessage<InputError>(HasSubstr("beyond 64 bits")));
}

TEST(MerklePath, AnIndexBeyondTheSiblingsIsRefused) {
  const std::vector<PathElement> path = {{std::vector<Fr>(1), 0}, {std::vector<Fr>(1), 2}};
  EXPECT_THAT([&] { path_root(TreeHash::kSha256, Fr::one(), path); },
              ThrowsMessage<InputError>(HasSubstr("level 1: index 2 among 2 children")));
  const std::vector<PathElement> octal = {{std::vector<Fr>(7), 0}};
  EXPECT_THROW(path_root(TreeHash::kSha256, Fr::one(), octal), InputError);
  const std::vector<PathElement> odd_arity = {{std::vector<Fr>(63 - 1), 0}};
  EXPECT_THROW(path_root(TreeHash::kPoseidon, Fr::one(), odd_arity), InputError);
}

TEST(NodeHash, ManyPoseidonParentsAreThoseOfEach) {
  for (const std::size_t arity : {2U, 8U, 11U}) {
    for (const std::size_t count : {1U, 7U, 8U, 9U, 17U}) {
      std::vector<Node> children(arity * count);
      for (std::size_t i = 0; i < children.size(); ++i) children[i] = Fr::from_u64(i + 3).inverse().to_bytes();
      std::vector<Node> parents(count);
      poseidon_parents(children, parents);
      for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(parents[i], poseidon_parent(std::span(children).subspan(i * arity, arity))) << arity << " " << i;
    }
  }
}

TEST(NodeHash, ManyPoseidonParentsRefuseWhatDoesNotFit) {
  std::vector<Node> nodes(64);
  std::vector<Node> parents(8);
  EXPECT_NO_THROW(poseidon_parents({}, {}));
  EXPECT_THROW(poseidon_parents(std::span(nodes).first(63), parents), InputError);
  EXPECT_THROW(poseidon_parents({}, parents), InputError);
  EXPECT_THROW(poseidon_parents(nodes, {}), InputError);
  EXPECT_THROW(poseidon_parents(nodes, std::span(parents).first(1)), InputError);
  nodes[63].fill(0xff);
  EXPECT_THAT([&] { poseidon_parents(nodes, parents); },
              ThrowsMessage<InputError>(HasSubstr("not below the field's modulus")));
}

/// A whole tree's nodes, and an opener that lacks the rows between the leaves and `first_row`.
class OpenedTree {
 public:
  OpenedTree(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, unsigned first_row)
      : leaves_(nodes), rows_(base_tree_rows(shape, nodes)) {
    for (std::uint64_t i = 0; i < nodes; ++i) leaves_[i] = Fr::from_u64(i * i + 1).inverse().to_bytes();
    if (hash == TreeHash::kSha256) {
      for (Node& leaf : leaves_) leaf = truncate_to_field(leaf);
    }
    for (unsigned i = 0; i < base_tree_count(shape); ++i) {
      std::vector<Node>& upper = upper_.emplace_back(rows_.total() - rows_.row_size(0));
      const auto part = std::span<const Node>(leaves_).subspan(i * rows_.row_size(0), rows_.row_size(0));
      fill_rows(hash, rows_, part, upper, Executor(1), no_progress(), "tree");
    }
    std::vector<StoredBaseTree> trees;
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      trees.push_back({std::span<const Node>(leaves_).subspan(i * rows_.row_size(0), rows_.row_size(0)),
                       std::span<const Node>(upper_[i]).subspan(rows_.row_offset(first_row) - rows_.row_size(0))});
    }
    opener_ = std::make_unique<TreeOpener>(hash, shape, nodes, first_row, std::move(trees));
  }

  const std::vector<Node>& leaves() const { return leaves_; }
  const TreeOpener& opener() const { return *opener_; }

 private:
  std::vector<Node> leaves_;
  TreeRows rows_;
  std::vector<std::vector<Node>> upper_;
  std::unique_ptr<TreeOpener> opener_;
};

TEST(TreeOpener, OpensEveryLeafOfEveryShape) {
  struct Case {
    TreeHash hash;
    TreeShape shape;
    std::uint64_t nodes;
    unsigned first_row;
  };
  for (const Case& tree :
       {Case{TreeHash::kSha256, {2, 0, 0}, 64, 1}, Case{TreeHash::kPoseidon, {8, 0, 0}, 512, 1},
        Case{TreeHash::kPoseidon, {8, 0, 0}, 512, 3}, Case{TreeHash::kPoseidon, {8, 2, 0}, 128, 2},
        Case{TreeHash::kPoseidon, {8, 8, 0}, 512, 1}, Case{TreeHash::kPoseidon, {8, 8, 2}, 1024, 2}}) {
    const OpenedTree opened(tree.hash, tree.shape, tree.nodes, tree.first_row);
    EXPECT_EQ(opened.opener().root(), tree_root(tree.hash, tree.shape, opened.leaves(), Executor(1)));
    for (std::uint64_t leaf = 0; leaf < tree.nodes; leaf += 1 + tree.nodes / 50) {
      const MerkleProof proof = opened.opener().open(leaf);
      EXPECT_EQ(proof.leaf.to_bytes(), opened.leaves()[leaf]);
      EXPECT_EQ(proof.root.to_bytes(), opened.opener().root());
      EXPECT_EQ(path_position(proof.path), leaf);
      EXPECT_EQ(path_root(tree.hash, proof.leaf, proof.path), proof.root);
    }
    EXPECT_THROW(opened.opener().open(tree.nodes), InputError);
  }
}

TEST(TreeOpener, RefusesPartsThatDoNotFit) {
  const std::vector<Node> nodes(73);
  const auto make = [&](unsigned first_row, std::size_t leaves, std::size_t upper, std::size_t trees) {
    const StoredBaseTree tree{std::span(nodes).first(leaves), std::span(nodes).first(upper)};
    TreeOpener(TreeHash::kPoseidon, {8, 0, 0}, 64, first_row, std::vector<StoredBaseTree>(trees, tree));
  };
  EXPECT_NO_THROW(make(1, 64, 9, 1));
  EXPECT_NO_THROW(make(2, 64, 1, 1));
  EXPECT_THROW(make(0, 64, 73, 1), InputError);
  EXPECT_THROW(make(3, 64, 0, 1), InputError);
  EXPECT_THROW(make(1, 63, 9, 1), InputError);
  EXPECT_THROW(make(1, 64, 8, 1), InputError);
  EXPECT_THROW(make(1, 64, 9, 2), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
