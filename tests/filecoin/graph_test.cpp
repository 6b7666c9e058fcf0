#include "filecoin/graph.hpp"

#include <gmock/gmock.h>

#include <algorithm>
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
  std::vector<StackedGraph::Parents> rows(graph.nodes());
  exec.parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    graph.fill_parents(static_cast<std::uint32_t>(begin), std::span(rows).subspan(begin, end - begin));
  });
  return test::hex(sha256({reinterpret_cast<const std::uint8_t*>(rows.data()), rows.size() * sizeof(rows[0])}));
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

TEST(StackedGraph, OneNodeAsMany) {
  const StackedGraph graph(1000, Bytes32{7}, ApiVersion::kV1_1);
  std::vector<StackedGraph::Parents> rows(100);
  graph.fill_parents(50, rows);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const StackedGraph::Parents parents = graph.parents(50 + i);
    EXPECT_EQ(parents, rows[i]);
    EXPECT_TRUE(std::ranges::equal(std::span(parents).first(kDrgParents), graph.drg_parents(50 + i)));
    EXPECT_TRUE(std::ranges::equal(std::span(parents).subspan(kDrgParents), graph.expander_parents(50 + i)));
  }
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

std::vector<std::uint64_t> permuted(std::uint64_t n) {
  std::vector<std::uint64_t> out(n);
  for (std::uint64_t i = 0; i < n; ++i) out[i] = i;
  FeistelPermutation(n, {1, 2, 3, 4}).permute(out);
  return out;
}

TEST(FeistelPermutation, Permutes) {
  for (const std::uint64_t n : {1U, 4U, 5U, 6U, 8U, 12U, 17U, 256U, 1000U}) {
    const auto images = permuted(n);
    EXPECT_LT(*std::max_element(images.begin(), images.end()), n);
    EXPECT_EQ(std::set<std::uint64_t>(images.begin(), images.end()).size(), n);
  }
}

TEST(FeistelPermutation, OneByOneAsTogether) {
  const auto images = permuted(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    std::array<std::uint64_t, 1> one{i};
    FeistelPermutation(1000, {1, 2, 3, 4}).permute(one);
    EXPECT_EQ(one[0], images[i]);
  }
}

TEST(FeistelPermutation, RejectsImpossibleSizes) {
  EXPECT_THROW(FeistelPermutation(0, {}), InputError);
  EXPECT_THROW(FeistelPermutation(UINT64_MAX, {}), InputError);
}

// The round function over the general BLAKE2b.
std::uint64_t round_by_definition(std::uint64_t right, std::uint64_t key) {
  std::array<std::uint8_t, 16> message;
  for (std::size_t b = 0; b < 8; ++b) {
    message[b] = static_cast<std::uint8_t>(right >> (56 - 8 * b));
    message[8 + b] = static_cast<std::uint8_t>(key >> (56 - 8 * b));
  }
  const auto digest = blake2b512(message);
  std::uint64_t out = 0;
  for (std::size_t b = 0; b < 8; ++b) out = out << 8 | digest[b];
  return out;
}

TEST(FeistelLanes, EveryVersionIsTheNetworkOverBlake2b) {
  const FeistelVersions versions = feistel_versions();
  std::uint64_t next = 1;
  const auto random = [&next] { return next = next * 6364136223846793005 + 1442695040888963407; };
  for (const unsigned half_bits : {1U, 5U, 16U, 31U, 32U}) {
    const FeistelNetwork network{{random(), random(), random()}, half_bits, (std::uint64_t{1} << half_bits) - 1};
    std::array<std::uint64_t, kFeistelLanes> in;
    std::array<std::uint64_t, kFeistelLanes> expected;
    for (std::size_t lane = 0; lane < kFeistelLanes; ++lane) {
      in[lane] = half_bits == 32 ? random() : random() & ((std::uint64_t{1} << 2 * half_bits) - 1);
      std::uint64_t left = in[lane] >> half_bits;
      std::uint64_t right = in[lane] & network.mask;
      for (const std::uint64_t key : network.keys) {
        left ^= round_by_definition(right, key) & network.mask;
        std::swap(left, right);
      }
      expected[lane] = left << half_bits | right;
    }
    for (std::size_t version = 0; version < versions.count; ++version) {
      auto values = in;
      versions.functions[version](network, values.data());
      EXPECT_EQ(values, expected) << "version " << version << ", " << half_bits << " bits";
    }
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
