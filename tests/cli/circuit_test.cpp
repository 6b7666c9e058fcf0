// circuit stats, circuit save and witness stats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::run_proofline;
using test::TempFolder;
using testing::HasSubstr;

TEST(CircuitCommand, StatsAreTheReferences) {
  const auto table = test::read_json(test::data_path("shapes/porep.json"));
  const auto& expected = table.at("porep-2048");
  const auto result = run_proofline({"circuit", "stats", "--proof", "porep", "--sector", "2048", "--digest", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = result.json();
  for (const auto& [key, value] : expected.items()) {
    if (key == "name") continue;
    EXPECT_EQ(json.at(key), value) << key;
  }
  EXPECT_LT(json.at("peak_rss"), 1 << 30);
}

TEST(CircuitCommand, StatsOfTheOtherProofs) {
  const auto digest = [](const char* kind) {
    const auto result = run_proofline({"circuit", "stats", "--proof", kind, "--sector", "2KiB", "--digest", "--json"});
    return result.status == 0 ? result.json().at("r1cs_sha256").get<std::string>() : result.err;
  };
  EXPECT_EQ(digest("winning-post"), "92215f5b65036d05a234d0d2d9705a1d4e4810044c21454ce928305f0416440e");
  EXPECT_EQ(digest("window-post"), "73a23e59e648f2c96e90db15b762ab0ee7c3429252b3f95694388a863b5a14c3");
  EXPECT_EQ(digest("update"), "490eb8901a72e832a6727f19160954d46178dce8dc5a9fd053baa31c5a3e30d9");
  EXPECT_EQ(run_proofline({"circuit", "stats", "--proof", "snap", "--sector", "2KiB"}).status, 2);
  EXPECT_EQ(run_proofline({"circuit", "stats", "--proof", "update", "--sector", "1GiB"}).status, 2);
}

/// Parameters of our own, from the command line to a verified proof.
TEST(CircuitCommand, WinningPostFromParametersToProof) {
  const TempFolder folder;
  const auto at = [&](const char* name) { return (folder / name).string(); };
  const auto must = [](std::initializer_list<std::string> arguments) {
    const auto result = run_proofline(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
  };
  must({"circuit", "save", "--proof", "winning-post", "--sector", "2KiB", "-o", at("circuit")});
  must({"params", "generate", "--proof", "winning-post", "--sector", "2KiB", "--circuit", at("circuit"), "-o",
        at("params"), "--vk", at("vk")});
  must({"post", "synthesize", "--kind", "winning", "--size", "2KiB", "-o", at("post")});
  must({"prove", "winning-post", at("post"), "--params", at("params"), "--circuit", at("circuit"), "-o", at("proof")});
  must({"verify", "winning-post", at("proof"), "--vk", at("vk"), "--post", at("post/post.json")});
}

TEST(CircuitCommand, ASavedCircuitIsTheSame) {
  const TempFolder folder;
  const std::string file = (folder / "2k.circuit").string();
  const auto saved = run_proofline({"circuit", "save", "--sector", "2KiB", "-o", file, "--json"});
  ASSERT_EQ(saved.status, 0) << saved.err;
  EXPECT_EQ(saved.json().at("bytes"), std::filesystem::file_size(file));
  const auto recorded =
      run_proofline({"circuit", "stats", "--sector", "2KiB", "--digest", "--memory", "--json"}).json();
  const auto loaded =
      run_proofline({"circuit", "stats", "--sector", "2KiB", "--digest", "--circuit", file, "--json"}).json();
  for (const char* key : {"num_constraints", "nnz_a", "density_b_aux", "r1cs_sha256"})
    EXPECT_EQ(loaded.at(key), recorded.at(key)) << key;
  EXPECT_LT(recorded.at("memory").at("total"), 20'000'000);

  const auto wrong = run_proofline({"circuit", "stats", "--sector", "32GiB", "--circuit", file});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("2k.circuit"));
}

TEST(WitnessCommand, StatsCountBitsAndCheckEveryRow) {
  const std::string c1 = test::data_path("sectors/2k-1/c1.json").string();
  const auto good = run_proofline({"witness", "stats", c1, "--check", "--json"});
  ASSERT_EQ(good.status, 0) << good.err;
  const auto json = good.json();
  EXPECT_EQ(json.at("bits"), 2'641'867);
  EXPECT_EQ(json.at("field_elements"), 636);
  EXPECT_EQ(json.at("derived"), 43'170);
  EXPECT_LT(json.at("bytes"), 400'000);
  EXPECT_EQ(json.at("satisfied"), true);
  EXPECT_EQ(json.at("rows"), 2'687'921);
  EXPECT_EQ(run_proofline({"witness", "stats", c1, "--partition", "1"}).status, 2);
}

TEST(WitnessCommand, ABrokenSectorNamesTheRow) {
  const TempFolder folder;
  auto document = test::read_json(test::data_path("sectors/2k-1/c1.json"));
  auto& node = document.at("vanilla_proofs").begin().value()[0][0].at("labeling_proofs")[0].at("node");
  node = node.get<std::uint64_t>() ^ 1;
  const std::string file = (folder / "broken.json").string();
  std::ofstream(file) << document.dump();
  const auto broken = run_proofline({"witness", "stats", file, "--check"});
  EXPECT_EQ(broken.status, 1) << broken.err;
  EXPECT_THAT(broken.out, HasSubstr("challenge[0]/"));
}

TEST(CircuitCommand, DigestOnlyWhereAsked) {
  const auto result = run_proofline({"circuit", "stats", "--sector", "2KiB"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("2,687,921"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("digest")));
}

}  // namespace
}  // namespace proofline
