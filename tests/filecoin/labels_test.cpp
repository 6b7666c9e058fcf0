#include "filecoin/labels.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"

namespace proofline::filecoin {
namespace {

using test::filled;
using test::GoldenSector;

std::vector<std::vector<Node>> all_layers(const StackedGraph& graph, const Node& replica_id, unsigned layers,
                                          const Executor& exec) {
  std::vector<std::vector<Node>> out;
  for (unsigned layer = 1; layer <= layers; ++layer) {
    std::vector<Node> labels(graph.nodes());
    fill_layer(graph, replica_id, layer, layer == 1 ? std::span<const Node>() : out.back(), labels, exec,
               no_progress());
    out.push_back(std::move(labels));
  }
  return out;
}

class GoldenLabels : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenLabels, LayersAndReplicaOfTheReference) {
  const GoldenSector sector(GetParam());
  const SealProofInfo& info = sector.info();
  const StackedGraph graph(info.shape().nodes(), info.porep_id, info.api_version);
  const Executor exec(2);
  const auto layers = all_layers(graph, sector.id("replica_id"), info.shape().layers, exec);
  EXPECT_EQ(layers[0], sector.nodes("cache/sc-02-data-layer-1.dat"));
  EXPECT_EQ(layers[1], sector.nodes("cache/sc-02-data-layer-2.dat"));

  std::vector<Node> nodes = sector.nodes("staged");
  encode(nodes, layers.back(), nodes, exec);
  EXPECT_EQ(nodes, sector.nodes("sealed"));
  decode(nodes, layers.back(), nodes, exec);
  EXPECT_EQ(nodes, sector.nodes("staged"));
}

INSTANTIATE_TEST_SUITE_P(Sectors, GoldenLabels, ::testing::ValuesIn(test::kSmallSectors), [](const auto& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

// The last label of the last of 11 layers, replica id 09..09, as little-endian words.
struct LabelVector {
  std::uint64_t nodes;
  std::uint8_t porep_id;
  ApiVersion version;
  std::array<std::uint64_t, 4> expected;
};

class ElevenLayers : public ::testing::TestWithParam<LabelVector> {};

TEST_P(ElevenLayers, LastLabelOfTheReference) {
  const auto& [nodes, porep_id, version, expected] = GetParam();
  const StackedGraph graph(nodes, filled(porep_id), version);
  const Node last = all_layers(graph, filled(9), 11, Executor(1)).back().back();
  std::array<std::uint64_t, 4> words;
  std::memcpy(words.data(), last.data(), sizeof(words));
  EXPECT_EQ(words, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Reference, ElevenLayers,
    ::testing::Values(LabelVector{64,
                                  0x00,
                                  ApiVersion::kV1_0,
                                  {0xd3faa96b9a0fba04, 0xea81a283d106485e, 0xe3d51b9afa5ac2b3, 0x0462f4f4f1a68d37}},
                      LabelVector{128,
                                  0x00,
                                  ApiVersion::kV1_0,
                                  {0x7e191e52c4a8da86, 0x5ae8a1c9e6fac148, 0xce239f3b88a894b8, 0x234c00d1dc1d53be}},
                      LabelVector{64,
                                  0x7b,
                                  ApiVersion::kV1_1,
                                  {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
                      LabelVector{128,
                                  0x7b,
                                  ApiVersion::kV1_1,
                                  {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}}));

TEST(Labels, DoNotDependOnThreads) {
  // More nodes than one chunk of parents found ahead.
  const StackedGraph graph(20000, filled(3), ApiVersion::kV1_1);
  EXPECT_EQ(all_layers(graph, filled(1), 2, Executor(1)), all_layers(graph, filled(1), 2, Executor(2)));
}

TEST(Labels, RepeatedParentsGiveTheSameLabel) {
  std::vector<Node> parents;
  for (std::uint8_t i = 0; i < StackedGraph::kParents; ++i) parents.push_back(filled(i));
  std::vector<Node> repeated;
  for (std::size_t i = 0; i < kTotalParents; ++i) repeated.push_back(parents[i % parents.size()]);
  EXPECT_EQ(label(filled(1), 2, 77, parents), label(filled(1), 2, 77, repeated));
  EXPECT_NE(label(filled(1), 2, 77, parents), label(filled(1), 2, 78, parents));
  EXPECT_NE(label(filled(1), 2, 77, parents), label(filled(1), 3, 77, parents));
}

TEST(Labels, RejectWrongSizes) {
  const StackedGraph graph(64, filled(0), ApiVersion::kV1_1);
  std::vector<Node> out(64);
  std::vector<Node> small(63);
  const Executor exec(1);
  EXPECT_THROW(fill_layer(graph, {}, 1, {}, small, exec, no_progress()), InputError);
  EXPECT_THROW(fill_layer(graph, {}, 2, {}, out, exec, no_progress()), InputError);
  EXPECT_THROW(fill_layer(graph, {}, 2, small, out, exec, no_progress()), InputError);
  EXPECT_THROW(fill_layer(graph, {}, 1, out, out, exec, no_progress()), InputError);
}

TEST(Encode, NamesTheNodeThatIsNoFieldElement) {
  const Executor exec(1);
  std::vector<Node> data(4);
  const std::vector<Node> labels(4);
  data[2] = filled(0xff);
  EXPECT_THAT([&] { encode(data, labels, data, exec); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("node 2")));
  EXPECT_THROW(encode(data, std::span(labels).first(3), data, exec), InputError);
}

TEST(Columns, RejectWrongLayers) {
  const std::vector<Node> layer(8);
  std::vector<Node> columns(8);
  const std::array<std::span<const Node>, 3> three{layer, layer, layer};
  EXPECT_THROW(hash_columns(three, columns, Executor(1), no_progress()), InputError);
  const std::array<std::span<const Node>, 2> uneven{layer, std::span(layer).first(7)};
  EXPECT_THROW(hash_columns(uneven, columns, Executor(1), no_progress()), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
