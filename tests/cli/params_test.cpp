// params generate, info and check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::data_path;
using test::run_proofline;
using test::TempFolder;
using testing::HasSubstr;

/// A small parameter file of the reference (WindowPoSt, 2 KiB).
std::string reference_params() {
  return data_path(
             "params/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
             "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params")
      .string();
}

std::string damaged_copy(const TempFolder& folder, std::size_t at, char value) {
  const std::string copy = (folder / "damaged.params").string();
  std::filesystem::copy_file(reference_params(), copy);
  std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(value);
  return copy;
}

TEST(ParamsCommand, InfoOfAReferenceFile) {
  const auto result = run_proofline({"params", "info", reference_params(), "--digest", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = result.json();
  const auto stats = test::read_json(data_path("proofs/window-2k-1/circuit-p0.stats.json"));
  EXPECT_EQ(json.at("num_inputs"), stats.at("num_inputs"));
  EXPECT_EQ(json.at("l"), stats.at("num_aux"));
  EXPECT_EQ(json.at("domain"), 32768);
  EXPECT_EQ(json.at("h"), 32767);
  EXPECT_EQ(json.at("b_g1"), json.at("b_g2"));
  // coreutils' b2sum of the file.
  EXPECT_EQ(json.at("digest"), "03caf8678b96ba9590233b1b4dd216c4");
}

TEST(ParamsCommand, CheckOfAReferenceFile) {
  const auto result = run_proofline({"params", "check", reference_params(), "--full", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json().at("valid"), true);
  EXPECT_EQ(result.json().at("checked").size(), 2U);
}

TEST(ParamsCommand, CheckAgainstAnotherCircuitSaysNo) {
  const auto result = run_proofline({"params", "check", reference_params(), "--sector", "2KiB"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("number of inputs is 23, the porep circuit of 2KiB sectors has 40"));
}

TEST(ParamsCommand, CheckAgainstThePublishedListSaysNo) {
  const auto result = run_proofline(
      {"params", "check", reference_params(), "--published", data_path("params/parameters.json").string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("digest is 03caf8678b96ba9590233b1b4dd216c4"));
}

TEST(ParamsCommand, CheckComparesWithTheCircuitOfAnyKind) {
  const auto check = [](const std::string& kind) {
    return run_proofline({"params", "check", reference_params(), "--proof", kind, "--sector", "2KiB", "--json"});
  };
  const auto good = check("window-post");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  const auto bad = check("winning-post");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.json().at("problem").get<std::string>(), HasSubstr("number of inputs is 23, the winning-post"));
}

TEST(ParamsCommand, CheckFindsABadPoint) {
  const TempFolder folder;
  const std::string copy = damaged_copy(folder, std::filesystem::file_size(reference_params()) - 1, 0x55);
  const auto result = run_proofline({"params", "check", copy, "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.json().at("problem").get<std::string>(), HasSubstr("b_g2[16028]"));
}

TEST(ParamsCommand, CheckOfATruncatedFileSaysNo) {
  const TempFolder folder;
  const std::string copy = damaged_copy(folder, 0, 0);
  std::filesystem::resize_file(copy, 500);
  EXPECT_EQ(run_proofline({"params", "check", copy}).status, 1);
  EXPECT_EQ(run_proofline({"params", "info", copy}).status, 2);
}

TEST(ParamsCommand, MissingFilesAreBadInput) {
  EXPECT_EQ(run_proofline({"params", "check", "/nonexistent/x.params"}).status, 2);
  EXPECT_EQ(run_proofline({"params", "info", "/nonexistent/x.params"}).status, 2);
  EXPECT_EQ(run_proofline({"params", "check", reference_params(), "--published", "/nonexistent/list"}).status, 2);
  EXPECT_EQ(run_proofline({"params", "check", reference_params(), "--sector", "3KiB"}).status, 2);
}

TEST(ParamsCommand, SeedNeedsTheFlag) {
  const TempFolder folder;
  const auto result =
      run_proofline({"params", "generate", "--sector", "2KiB", "-o", (folder / "p").string(), "--seed", "1"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("add --insecure"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ParamsCommand, GenerateIntoAMissingFolderFails) {
  const auto result = run_proofline(
      {"params", "generate", "--sector", "2KiB", "-o", "/nonexistent/folder/p", "--seed", "1", "--insecure"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/folder"));
}

}  // namespace
}  // namespace proofline
