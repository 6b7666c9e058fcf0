#include "filecoin/tree.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/labels.hpp"

namespace proofline::filecoin {
namespace {

using test::filled;
using test::GoldenSector;

std::vector<Node> whole_tree(TreeHash hash, const TreeRows& rows, const std::vector<Node>& leaves,
                             const Executor& exec) {
  std::vector<Node> nodes = leaves;
  nodes.resize(rows.total());
  const std::span<Node> all(nodes);
  fill_rows(hash, rows, all.first(leaves.size()), all.subspan(leaves.size()), exec, no_progress(), "tree");
  return nodes;
}

class GoldenTrees : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenTrees, TreesAndCommitmentsOfTheReference) {
  const GoldenSector sector(GetParam());
  const SectorShape& shape = sector.info().shape();
  const Executor exec(2);

  const auto tree_d = whole_tree(TreeHash::kSha256, TreeRows(2, shape.nodes()), sector.nodes("staged"), exec);
  EXPECT_EQ(tree_d, sector.nodes("cache/sc-02-data-tree-d.dat"));
  EXPECT_EQ(tree_d.back(), sector.id("comm_d"));

  const auto layer1 = sector.nodes("cache/sc-02-data-layer-1.dat");
  const auto layer2 = sector.nodes("cache/sc-02-data-layer-2.dat");
  const std::array<std::span<const Node>, 2> layers{layer1, layer2};
  std::vector<Node> columns(shape.nodes());
  hash_columns(layers, columns, exec, no_progress());
  const TreeRows rows = base_tree_rows(shape.tree, shape.nodes());
  const auto tree_c = whole_tree(TreeHash::kPoseidon, rows, columns, exec);
  EXPECT_EQ(tree_c, sector.nodes("cache/sc-02-data-tree-c.dat"));

  const auto tree_r_last = whole_tree(TreeHash::kPoseidon, rows, sector.nodes("sealed"), exec);
  const std::uint64_t kept = rows.row_offset(1 + discarded_rows(rows));
  EXPECT_EQ(std::vector<Node>(tree_r_last.begin() + static_cast<std::ptrdiff_t>(kept), tree_r_last.end()),
            sector.nodes("cache/sc-02-data-tree-r-last.dat"));

  const std::array<Node, 2> p_aux{tree_c.back(), tree_r_last.back()};
  EXPECT_THAT(sector.nodes("cache/p_aux"), ::testing::ElementsAreArray(p_aux));
  EXPECT_EQ(poseidon_parent(p_aux), sector.id("comm_r"));
  EXPECT_EQ(tree_root(TreeHash::kPoseidon, shape.tree, sector.nodes("sealed"), exec), tree_r_last.back());
}

INSTANTIATE_TEST_SUITE_P(Sectors, GoldenTrees, ::testing::ValuesIn(test::kSmallSectors), [](const auto& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(TreeRows, PlacesOfRows) {
  const TreeRows rows(8, 512);
  EXPECT_EQ(rows.count(), 4U);
  EXPECT_EQ(rows.row_size(0), 512U);
  EXPECT_EQ(rows.row_size(3), 1U);
  EXPECT_EQ(rows.row_offset(2), 576U);
  EXPECT_EQ(rows.total(), 585U);
  EXPECT_EQ(discarded_rows(rows), 2U);
  EXPECT_EQ(discarded_rows(TreeRows(8, 64)), 1U);
  EXPECT_EQ(discarded_rows(TreeRows(8, 8)), 0U);
}

TEST(TreeRows, RejectsLeavesThatAreNoPower) {
  for (const std::uint64_t leaves : {0U, 1U, 4U, 9U, 16U, 511U, 640U}) EXPECT_THROW(TreeRows(8, leaves), InputError);
  EXPECT_THROW(TreeRows(0, 8), InputError);
  EXPECT_THROW(TreeRows(1, 8), InputError);
}

// base-sub-top trees, level by level as the definition reads.
TEST(Tree, SubAndTopLevelsJoinBaseRoots) {
  const Executor exec(1);
  std::vector<Node> leaves(128);
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i][0] = static_cast<std::uint8_t>(i + 1);
  std::vector<Node> row = leaves;
  for (const unsigned arity : {8U, 8U, 2U}) {
    std::vector<Node> next;
    for (std::size_t i = 0; i < row.size(); i += arity)
      next.push_back(poseidon_parent(std::span(row).subspan(i, arity)));
    row = next;
  }
  ASSERT_EQ(row.size(), 1U);
  EXPECT_EQ(tree_root(TreeHash::kPoseidon, {8, 2, 0}, leaves, exec), row[0]);
  EXPECT_EQ(base_tree_count({8, 2, 0}), 2U);
  EXPECT_EQ(base_tree_count({8, 8, 2}), 16U);
  EXPECT_EQ(base_tree_count({8, 0, 0}), 1U);
  EXPECT_THROW(tree_root(TreeHash::kPoseidon, {8, 0, 0}, leaves, exec), InputError);
}

TEST(Tree, DoesNotDependOnThreads) {
  std::vector<Node> leaves(4096);
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i][i % 31] = static_cast<std::uint8_t>(i);
  for (const auto& [hash, arity] : {std::pair{TreeHash::kSha256, 2U}, std::pair{TreeHash::kPoseidon, 8U}}) {
    const TreeRows rows(arity, leaves.size());
    EXPECT_EQ(whole_tree(hash, rows, leaves, Executor(1)), whole_tree(hash, rows, leaves, Executor(2)));
  }
}

TEST(Tree, RejectsWrongSizesAndNodes) {
  const Executor exec(1);
  const TreeRows rows(8, 64);
  std::vector<Node> leaves(64);
  std::vector<Node> upper(9);
  EXPECT_THROW(fill_rows(TreeHash::kPoseidon, rows, leaves, std::span(upper).first(8), exec, no_progress(), ""),
               InputError);
  EXPECT_THROW(fill_rows(TreeHash::kPoseidon, rows, std::span(leaves).first(8), upper, exec, no_progress(), ""),
               InputError);
  EXPECT_THROW(fill_rows(TreeHash::kSha256, rows, leaves, upper, exec, no_progress(), ""), InputError);
  leaves[5] = filled(0xff);
  EXPECT_THAT([&] { fill_rows(TreeHash::kPoseidon, rows, leaves, upper, exec, no_progress(), ""); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("modulus")));
  EXPECT_THROW(join_base_roots({8, 2, 0}, std::span(leaves).first(1)), InputError);
}

TEST(NodeHash, TruncatesToField) {
  EXPECT_EQ(truncate_to_field(filled(0xff))[31], 0x3f);
  EXPECT_EQ(truncate_to_field(filled(0xff))[0], 0xff);
  // The parent of two zero leaves: comm_d of 64 zero bytes.
  EXPECT_EQ(test::hex(sha256_parent({}, {})), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb0b");
}

TEST(NodeHash, ViewsNeedWholeNodes) {
  const std::vector<std::uint8_t> bytes(65);
  EXPECT_THROW(as_nodes(std::span(bytes)), InputError);
  EXPECT_EQ(as_nodes(std::span(bytes).first(64)).size(), 2U);
}

}  // namespace
}  // namespace proofline::filecoin
