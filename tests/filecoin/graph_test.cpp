#include "filecoin/graph.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cstring>
#include <set>

#include "base/blake2b.hpp"
#include "base/error.hpp"
#include "base/executor.hpp"
#include "base/sha256.hpp"
#include "filecoin/chacha8.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

StackedGraph graph_of(RegisteredSealProof proof) {
  const SealProofInfo& info = seal_proof_info(proof);
  return {info.shape().nodes(), info.porep_id, info.api_version};
}

TEST(StackedGraph, KnownParentsOfTheReference) {
  for (const auto& entry : test::read_json(test::data_path("kat/graph.json"))) {
    const SealProofInfo& info = seal_proof_info(entry["registered_proof"].get<std::string>());
    const StackedGraph graph = graph_of(info.proof);
    EXPECT_EQ(test::hex(graph.drg_seed()), entry["drg_seed"]);
    EXPECT_EQ(graph.feistel_keys(), (entry["feistel_keys"].get<std::array<std::uint64_t, 4>>()));
    for (const auto& node : entry["parents"]) {
      const auto id = node["node"].get<std::uint32_t>();
      EXPECT_EQ(graph.drg_parents(id), (node["base"].get<std::array<std::uint32_t, kDrgParents>>()))
          << info.json_name << " node " << id;
      EXPECT_EQ(graph.expander_parents(id), (node["expanded"].get<std::array<std::uint32_t, kExpanderParents>>()))
          << info.json_name << " node " << id;
    }
  }
}

// All parents of all nodes as 14 little-endian words, as the reference's parent cache files hold them.
std::string parent_cache_digest(const StackedGraph& graph) {
  static_assert(std::endian::native == std::endian::little);
  const Executor exec;
  std::vector<std::array<std::uint32_t, StackedGraph::kParents>> rows(graph.nodes());
  exec.parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) rows[i] = graph.parents(static_cast<std::uint32_t>(i));
  });
  return test::hex(
      sha256({reinterpret_cast<const std::uint8_t*>(rows.data()), rows.size() * sizeof(rows[0])}));
}

TEST(StackedGraph, WholeParentCachesOfThePublishedDigests) {
  std::set<std::string> published;
  for (const auto& entry : test::read_json(test::data_path("kat/parent_cache.json"))) {
    published.insert(entry["digest"].get<std::string>());
  }
  std::set<std::string> seen;
  for (const int proof : {0, 1, 5, 6}) {
    const std::string digest = parent_cache_digest(graph_of(RegisteredSealProof{proof}));
    EXPECT_TRUE(published.contains(digest)) << "proof " << proof << ": " << digest;
    seen.insert(digest);
  }
  EXPECT_EQ(seen.size(), 4U);
}

TEST(StackedGraph, EveryEdgeOfALayerPointsBack) {
  for (const auto version : {ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2}) {
    const StackedGraph graph(1000, Bytes32{7}, version);
    for (std::uint32_t node = 1; node < 1000; ++node) {
      const auto parents = graph.drg_parents(node);
      EXPECT_EQ(parents[version == ApiVersion::kV1_0 ? kDrgParents - 1 : 0], node - 1);
      for (const std::uint32_t parent : parents) EXPECT_LT(parent, node);
    }
  }
}

TEST(StackedGraph, ExpanderEdgesAreRegular) {
  const StackedGraph graph(1000, Bytes32{7}, ApiVersion::kV1_1);
  std::vector<unsigned> uses(1000);
  for (std::uint32_t node = 0; node < 1000; ++node) {
    for (const std::uint32_t parent : graph.expander_parents(node)) ++uses.at(parent);
  }
  EXPECT_THAT(uses, ::testing::Each(kExpanderParents));
}

TEST(StackedGraph, RejectsImpossibleSizes) {
  EXPECT_THROW(StackedGraph(1, Bytes32{}, ApiVersion::kV1_1), InputError);
  EXPECT_THROW(StackedGraph(std::uint64_t{1} << 32, Bytes32{}, ApiVersion::kV1_1), InputError);
}

TEST(FeistelPermutation, PermutesAndInverts) {
  for (const std::uint64_t n : {1U, 4U, 5U, 6U, 8U, 12U, 17U, 256U, 1000U}) {
    const FeistelPermutation permutation(n, {1, 2, 3, 4});
    std::set<std::uint64_t> images;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t image = permutation(i);
      EXPECT_LT(image, n);
      EXPECT_EQ(permutation.inverse(image), i);
      images.insert(image);
    }
    EXPECT_EQ(images.size(), n);
  }
}

TEST(FeistelPermutation, RoundIsBlake2b) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t right = i * 0x9e3779b97f4a7c15;
    const std::uint64_t key = ~(i * 0xc2b2ae3d27d4eb4f);
    std::array<std::uint8_t, 16> message;
    for (std::size_t b = 0; b < 8; ++b) {
      message[b] = static_cast<std::uint8_t>(right >> (56 - 8 * b));
      message[8 + b] = static_cast<std::uint8_t>(key >> (56 - 8 * b));
    }
    const auto digest = blake2b512(message);
    std::uint64_t expected = 0;
    for (std::size_t b = 0; b < 8; ++b) expected = expected << 8 | digest[b];
    EXPECT_EQ(feistel_round(right, key), expected);
  }
}

// Test vector of draft-strombergson-chacha-test-vectors-01, TC1, 256-bit key, 8 rounds.
TEST(ChaCha8, PublishedKeyStream) {
  const auto block = chacha8_block({}, 0);
  std::array<std::uint8_t, 16> bytes;
  std::memcpy(bytes.data(), block.data(), bytes.size());
  EXPECT_EQ(test::hex(bytes), "3e00ef2f895f40d67f5bb8e81f09a5a1");
}

}  // namespace
}  // namespace proofline::filecoin
