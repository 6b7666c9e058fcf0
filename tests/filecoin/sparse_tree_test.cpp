#include "filecoin/sparse_tree.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/tree_opener.hpp"

namespace proofline::filecoin {
namespace {

using test::filled;

/// The whole tree with its rows, opened as a sealed sector's.
class FullTree {
 public:
  FullTree(TreeHash hash, const TreeShape& shape, std::vector<Node> leaves)
      : leaves_(std::move(leaves)), rows_(base_tree_rows(shape, leaves_.size())) {
    std::vector<StoredBaseTree> trees;
    upper_.resize(base_tree_count(shape));
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      const auto part = std::span<const Node>(leaves_).subspan(i * rows_.row_size(0), rows_.row_size(0));
      upper_[i].resize(rows_.total() - rows_.row_size(0));
      fill_rows(hash, rows_, part, upper_[i], Executor(1), no_progress(), "tree");
      trees.push_back({part, upper_[i]});
    }
    opener_.emplace(hash, shape, leaves_.size(), 1, std::move(trees));
  }

  const TreeOpener& opener() const { return *opener_; }

 private:
  std::vector<Node> leaves_;
  TreeRows rows_;
  std::vector<std::vector<Node>> upper_;
  std::optional<TreeOpener> opener_;
};

SparseTree sparse(TreeHash hash, const TreeShape& shape, std::uint64_t nodes, const Node& usual,
                  const std::vector<SparseLeaf>& leaves, unsigned threads = 1) {
  return {hash, shape, nodes, usual, leaves, Executor(threads), no_progress(), "tree"};
}

void expect_same_path(const MerkleProof& got, const MerkleProof& expected) {
  EXPECT_EQ(got.root, expected.root);
  EXPECT_EQ(got.leaf, expected.leaf);
  ASSERT_EQ(got.path.size(), expected.path.size());
  for (std::size_t i = 0; i < got.path.size(); ++i) {
    EXPECT_EQ(got.path[i].index, expected.path[i].index) << "level " << i;
    EXPECT_EQ(got.path[i].siblings, expected.path[i].siblings) << "level " << i;
  }
}

struct Case {
  TreeHash hash;
  TreeShape shape;
  std::uint64_t nodes;
};

TEST(SparseTree, EqualsTheFullTreeAtEveryLeaf) {
  std::mt19937_64 random(1);
  for (const Case& c : {Case{TreeHash::kSha256, {2, 0, 0}, 64}, Case{TreeHash::kPoseidon, {8, 0, 0}, 64},
                        Case{TreeHash::kPoseidon, {8, 2, 0}, 128}, Case{TreeHash::kPoseidon, {8, 8, 0}, 512},
                        Case{TreeHash::kPoseidon, {8, 8, 2}, 1024}, Case{TreeHash::kPoseidon, {8, 0, 0}, 4096}}) {
    for (const std::size_t others : {std::size_t{0}, std::size_t{1}, std::size_t{20}}) {
      SCOPED_TRACE(std::to_string(c.nodes) + " leaves, others " + std::to_string(others));
      const Node usual = filled(0x23);
      std::map<std::uint64_t, Node> chosen;
      while (chosen.size() < others) chosen[random() % c.nodes] = filled(static_cast<std::uint8_t>(random() % 0x40));
      std::vector<Node> all(c.nodes, usual);
      std::vector<SparseLeaf> leaves;
      for (const auto& [index, value] : chosen) {
        all[index] = value;
        leaves.push_back({index, value});
      }
      const FullTree full(c.hash, c.shape, all);
      const SparseTree tree = sparse(c.hash, c.shape, c.nodes, usual, leaves);
      EXPECT_EQ(tree.root(), full.opener().root());
      for (std::uint64_t leaf = 0; leaf < c.nodes; ++leaf) {
        expect_same_path(tree.open(leaf), full.opener().open(leaf));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(SparseTree, AllLeavesMayDiffer) {
  std::vector<Node> all(512);
  std::vector<SparseLeaf> leaves;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i][i % 31] = static_cast<std::uint8_t>(i);
    leaves.push_back({i, all[i]});
  }
  const FullTree full(TreeHash::kPoseidon, {8, 0, 0}, all);
  for (const unsigned threads : {1U, 2U}) {
    const SparseTree tree = sparse(TreeHash::kPoseidon, {8, 0, 0}, 512, filled(1), leaves, threads);
    expect_same_path(tree.open(77), full.opener().open(77));
  }
}

TEST(SparseTree, RejectsWhatIsNoTree) {
  const auto expect = [](const TreeShape& shape, std::uint64_t nodes, const Node& usual,
                         const std::vector<SparseLeaf>& leaves, const std::string& message) {
    EXPECT_THAT([&] { sparse(TreeHash::kPoseidon, shape, nodes, usual, leaves); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)));
  };
  expect({8, 0, 0}, 63, {}, {}, "does not fit 63 leaves");
  expect({8, 0, 0}, 64, {}, {{64, {}}}, "leaf 64 of a tree of 64 leaves");
  expect({8, 0, 0}, 64, {}, {{5, {}}, {5, {}}}, "leaf 5 comes after leaf 5");
  expect({8, 0, 0}, 64, {}, {{5, {}}, {4, {}}}, "leaf 4 comes after leaf 5");
  expect({8, 0, 0}, 64, filled(0xff), {}, "usual leaf: the 32 bytes are not below");
  expect({8, 0, 0}, 64, {}, {{5, filled(0xff)}}, "leaf 5: the 32 bytes are not below");
  EXPECT_THAT(
      [] {
        sparse(TreeHash::kPoseidon, {8, 0, 0}, 64, {}, {}).open(64);
      },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("leaf 64 of a tree of 64")));
}

}  // namespace
}  // namespace proofline::filecoin
