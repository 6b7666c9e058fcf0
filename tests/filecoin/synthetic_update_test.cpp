#include "filecoin/synthetic_update.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/tree.hpp"
#include "filecoin/tree_opener.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_vanilla.hpp"

namespace proofline::filecoin {
namespace {

const Executor kTwo(2);

bool same(const MerkleProof& a, const MerkleProof& b) {
  return a.root == b.root && a.leaf == b.leaf &&
         std::ranges::equal(a.path, b.path, [](const PathElement& x, const PathElement& y) {
           return x.index == y.index && x.siblings == y.siblings;
         });
}

std::vector<Node> distinct_nodes(std::size_t count) {
  std::vector<Node> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i][0] = static_cast<std::uint8_t>(i + 1);
  return out;
}

// Runs shorter and longer than an arity, and of one leaf.
TEST(RunTree, EqualsTheTreeOverAllLeaves) {
  for (const auto& [hash, shape, nodes] :
       std::vector<std::tuple<TreeHash, TreeShape, std::uint64_t>>{{TreeHash::kSha256, {2, 0, 0}, 64},
                                                                   {TreeHash::kPoseidon, {8, 0, 0}, 64},
                                                                   {TreeHash::kPoseidon, {8, 4, 0}, 256},
                                                                   {TreeHash::kPoseidon, {8, 8, 2}, 1024}}) {
    for (std::size_t count = 1; count <= 64; count *= 2) {
      const std::vector<Node> runs = distinct_nodes(count);
      const RunTree tree(hash, shape, nodes, runs, kTwo);
      std::vector<Node> leaves;
      for (std::uint64_t i = 0; i < nodes; ++i) leaves.push_back(runs[i * count / nodes]);
      ASSERT_EQ(tree.root(), tree_root(hash, shape, leaves, kTwo)) << shape.sub << ' ' << count;
      const TreeRows rows = base_tree_rows(shape, nodes);
      std::vector<std::vector<Node>> upper(base_tree_count(shape), std::vector<Node>(rows.total() - rows.row_size(0)));
      std::vector<StoredBaseTree> stored;
      for (std::size_t i = 0; i < upper.size(); ++i) {
        const auto part = std::span(leaves).subspan(i * rows.row_size(0), rows.row_size(0));
        fill_rows(hash, rows, part, upper[i], kTwo, no_progress(), "");
        stored.push_back({part, upper[i]});
      }
      const TreeOpener opener(hash, shape, nodes, 1, stored);
      for (std::uint64_t leaf = 0; leaf < nodes; leaf += 7) ASSERT_TRUE(same(tree.open(leaf), opener.open(leaf)));
      EXPECT_THROW(tree.open(nodes), InputError);
    }
  }
}

TEST(RunTree, WhatDoesNotFit) {
  EXPECT_THROW(RunTree(TreeHash::kPoseidon, {8, 0, 0}, 64, distinct_nodes(3), kTwo), InputError);
  EXPECT_THROW(RunTree(TreeHash::kPoseidon, {8, 0, 0}, 32, distinct_nodes(2), kTwo), InputError);
  EXPECT_THROW(RunTree(TreeHash::kPoseidon, {8, 0, 0}, 8, distinct_nodes(16), kTwo), InputError);
  EXPECT_THROW(RunTree(TreeHash::kPoseidon, {8, 0, 0}, 8, {}, kTwo), InputError);
}

TEST(SyntheticUpdate, HoldsAtEverySize) {
  for (const UpdateShape& shape : update_shapes()) {
    const SyntheticUpdate update(shape, 3, kTwo);
    for (unsigned k = 0; k < shape.partitions; k += 5) {
      EXPECT_NO_THROW(verify_update_partition(update.statement(), k, update.open(k), shape.name, kTwo)) << k;
    }
    EXPECT_THROW(update.open(shape.partitions), InputError);
  }
}

TEST(SyntheticUpdate, DependsOnTheSeedOnly) {
  const UpdateShape& shape = update_shape(std::uint64_t{32} << 30);
  const auto bytes = [&](std::uint64_t seed, unsigned threads) {
    return write_update_partition(SyntheticUpdate(shape, seed, Executor(threads)).open(15), shape);
  };
  EXPECT_EQ(bytes(1, 1), bytes(1, 2));
  EXPECT_NE(bytes(1, 1), bytes(2, 1));
}

}  // namespace
}  // namespace proofline::filecoin
