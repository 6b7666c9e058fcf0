// sector c1, and what prove porep says to bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::data_path;
using test::read_bytes;
using test::run_proofline;
using test::TempFolder;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSector = data_path("sectors/2k-1").string();
const std::string kC1 = data_path("sectors/2k-1/c1.json").string();
const std::string kWindowParams = data_path(
                                      "params/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                                      "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params")
                                      .string();

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("not in the text: " + from);
  return text.replace(at, from.size(), to);
}

std::string text_of(const std::string& path) {
  const auto bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

TEST(C1Command, WritesTheReferencesFile) {
  const TempFolder folder;
  const std::string out = (folder / "c1.json").string();
  const auto result = run_proofline({"sector", "c1", kSector, "-o", out, "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json().at("registered_proof"), "StackedDrg2KiBV1_1");
  EXPECT_TRUE(read_bytes(out) == read_bytes(kC1));
}

TEST(C1Command, EnvelopeHoldsTheSameProof) {
  const TempFolder folder;
  const std::string out = (folder / "c1.json").string();
  ASSERT_EQ(run_proofline({"sector", "c1", kSector, "-o", out, "--envelope"}).status, 0);
  const auto envelope = test::read_json(out);
  EXPECT_EQ(envelope.at("SectorNum"), 1);
  EXPECT_EQ(envelope.at("SectorSize"), 2048);
  EXPECT_THAT(envelope.at("Phase1Out").get<std::string>(), testing::StartsWith("eyJyZWdpc3RlcmVkX3Byb29m"));
}

TEST(C1Command, MissingSector) {
  const TempFolder folder;
  const auto result = run_proofline({"sector", "c1", folder.path().string(), "-o", (folder / "c1").string()});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("sector.json"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ProveCommand, BadInputIsNamedAndLeavesNothing) {
  const TempFolder folder;
  const std::string c1 = (folder / "c1.json").string();
  const std::string out = (folder / "proof").string();
  const std::string good = text_of(kC1);
  const auto expect = [&](const std::string& text, const std::string& params, const std::string& message) {
    test::write_bytes(c1, std::vector<std::uint8_t>(text.begin(), text.end()));
    const auto result = run_proofline({"prove", "porep", c1, "--params", params, "-o", out});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  expect(good, "/nonexistent/x.params", "/nonexistent/x.params");
  expect(good.substr(0, good.size() / 2), kWindowParams, c1);
  expect(replaced(good, "StackedDrg2KiBV1_1", "StackedDrg2KiBV9"), kWindowParams, "StackedDrg2KiBV9");
  expect(replaced(good, "StackedDrg2KiBV1_1", "StackedDrg32GiBV1_1"), kWindowParams, "StackedDrg2KiBV1");
  // The first sibling of the first path in tree_d.
  expect(replaced(good, "[144,57,7,", "[145,57,7,"), kWindowParams, "comm_d_proofs");
  expect(good, kWindowParams, "parameters are for another circuit");
}

TEST(ProveCommand, DamageInTheLastOfManyPartitionsIsFoundFirst) {
  const TempFolder folder;
  const std::string sector = (folder / "sector").string(), c1 = (folder / "c1.json").string();
  const auto sealed = run_proofline({"sector", "seal", kSector + "/data.bin", "--registered-proof",
                                     "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", "--out", sector, "--quiet"});
  ASSERT_EQ(sealed.status, 0) << sealed.err;
  ASSERT_EQ(run_proofline({"sector", "c1", sector, "-o", c1, "--quiet"}).status, 0);
  const auto good = nlohmann::ordered_json::parse(text_of(c1));
  const int byte = good["vanilla_proofs"]["StackedDrg2KiBV1"][12][1]["comm_d_proofs"]["data"]["Single"]["leaf"][0];
  const auto expect = [&](int changed, const std::string& message) {
    auto json = good;
    json["vanilla_proofs"]["StackedDrg2KiBV1"][12][1]["comm_d_proofs"]["data"]["Single"]["leaf"][0] = changed;
    const std::string text = json.dump();
    test::write_bytes(c1, std::vector<std::uint8_t>(text.begin(), text.end()));
    const auto result =
        run_proofline({"prove", "porep", c1, "--params", kWindowParams, "-o", (folder / "proof").string()});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  const std::string field = "c1.json: vanilla_proofs.StackedDrg2KiBV1[12][1].comm_d_proofs";
  expect(256, field + ".data.Single.leaf: expected an array of 32 integers from 0 to 255");
  expect(byte ^ 1, field + ": end of the path");
  expect(byte, "parameters are for another circuit");
}

TEST(ProveCommand, MissingC1) {
  const auto result =
      run_proofline({"prove", "porep", "/nonexistent/c1", "--params", kWindowParams, "-o", "/nonexistent/p"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/c1"));
}

}  // namespace
}  // namespace proofline
