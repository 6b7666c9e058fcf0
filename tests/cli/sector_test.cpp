// sector seal, unseal and synthesize.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::data_path;
using test::read_bytes;
using test::read_json;
using test::run_proofline;
using test::TempFolder;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SectorCommand, SealsTheReferencesSector) {
  const auto expected = read_json(data_path("sectors/2k-1/sector.json"));
  const TempFolder folder;
  const std::string out = (folder / "sector").string();
  const auto result =
      run_proofline({"sector", "seal", data_path("sectors/2k-1/data.bin").string(), "--size", "2KiB", "--out", out,
                     "--ticket", expected.at("ticket"), "--seed", expected.at("seed"), "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* key : {"comm_d", "comm_r", "replica_id", "registered_proof", "prover_id", "seed"}) {
    EXPECT_EQ(result.json().at(key), expected.at(key)) << key;
  }
  EXPECT_EQ(result.json().at("folder"), out);
  EXPECT_EQ(read_bytes(out + "/sealed"), read_bytes(data_path("sectors/2k-1/sealed")));

  const std::string file = (folder / "file").string();
  const auto unsealed = run_proofline({"sector", "unseal", out, "-o", file, "--json"});
  ASSERT_EQ(unsealed.status, 0) << unsealed.err;
  EXPECT_EQ(unsealed.json().at("bytes"), 2032);
  EXPECT_EQ(read_bytes(file), read_bytes(data_path("sectors/2k-1/data.bin")));
}

TEST(SectorCommand, C1OfSyntheticAndNonInteractiveSectors) {
  const std::string data = data_path("sectors/2k-1/data.bin").string();
  for (const auto& [name, partitions] :
       {std::pair{"StackedDrg2KiBV1_1_Feat_SyntheticPoRep", 1}, {"StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", 13}}) {
    const TempFolder folder;
    const std::string out = (folder / "sector").string();
    const auto sealed = run_proofline({"sector", "seal", data, "--registered-proof", name, "--out", out, "--quiet"});
    ASSERT_EQ(sealed.status, 0) << sealed.err;
    const auto c1 = run_proofline({"sector", "c1", out, "-o", (folder / "c1.json").string(), "--json"});
    ASSERT_EQ(c1.status, 0) << c1.err;
    EXPECT_EQ(c1.json().at("registered_proof"), name);
    EXPECT_EQ(c1.json().at("partitions"), partitions);
  }
}

TEST(SectorCommand, PrintsCommitmentsForPeople) {
  const TempFolder folder;
  const auto result = run_proofline({"sector", "seal", data_path("sectors/2kv1-4/data.bin").string(), "--size", "2KiB",
                                     "--api", "1.0", "--out", (folder / "s").string(), "--quiet", "--threads", "1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(
      result.out,
      HasSubstr("comm_d      " + read_json(data_path("sectors/2kv1-4/sector.json")).at("comm_d").get<std::string>()));
}

TEST(SectorCommand, SynthesizesTheSameC1FromTheSameSeed) {
  const TempFolder folder;
  const auto synthesize = [&](const std::string& seed, const std::string& file) {
    const auto result = run_proofline(
        {"sector", "synthesize", "--size", "2KiB", "-o", (folder / file).string(), "--seed", seed, "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.json();
  };
  const auto answer = synthesize("5", "a");
  const auto c1 = read_json(folder / "a");
  EXPECT_EQ(answer.at("file"), (folder / "a").string());
  EXPECT_EQ(answer.at("bytes"), std::filesystem::file_size(folder / "a"));
  EXPECT_EQ(answer.at("seed"), 5);
  EXPECT_EQ(answer.at("registered_proof"), "StackedDrg2KiBV1_1");
  EXPECT_EQ(c1.at("registered_proof"), "StackedDrg2KiBV1_1");
  EXPECT_EQ(c1.at("vanilla_proofs").at("StackedDrg2KiBV1").at(0).size(), 2);
  EXPECT_EQ(answer.at("comm_r"), test::hex(c1.at("comm_r").get<std::vector<std::uint8_t>>()));
  EXPECT_EQ(answer.at("stages").size(), 3);
  synthesize("5", "b");
  EXPECT_TRUE(read_bytes(folder / "a") == read_bytes(folder / "b"));
  EXPECT_NE(synthesize("6", "b").at("comm_r"), answer.at("comm_r"));
  EXPECT_FALSE(read_bytes(folder / "a") == read_bytes(folder / "b"));
}

TEST(SectorCommand, SynthesizesInsideTheEnvelope) {
  const TempFolder folder;
  const std::string out = (folder / "c1").string();
  const auto result = run_proofline({"sector", "synthesize", "--size", "8MiB", "-o", out, "--envelope", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("C1 of a synthetic 8MiB sector, verified: " + out));
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_EQ(read_json(out).at("SectorSize"), 8388608);
  EXPECT_GT(read_json(out).at("SectorNum"), 0);
}

TEST(SectorCommand, BadInputLeavesNothing) {
  const TempFolder folder;
  const std::string out = (folder / "sector").string();
  const std::string data = data_path("sectors/2k-1/data.bin").string();
  const auto expect = [&](std::initializer_list<std::string> arguments, const std::string& text) {
    const auto result = run_proofline(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  expect({"sector", "seal", data, "--size", "3KiB", "--out", out}, "\"3KiB\" is not known; expected one of 2KiB");
  expect({"sector", "seal", data + "x", "--size", "2KiB", "--out", out}, "data.binx: ");
  expect({"sector", "seal", data, "--size", "2KiB", "--out", out, "--ticket", "abc"}, "--ticket: 3 hexadecimal digits");
  expect({"sector", "seal", data, "--size", "32GiB", "--out", out}, "at most 1GiB");
  expect({"sector", "synthesize", "--size", "4KiB", "-o", out}, "no interactive proof of this version for 4KiB");
  expect({"sector", "synthesize", "--size", "2KiB", "-o", out + "/c1"}, out + "/c1");
  expect({"sector", "synthesize", "--size", "2KiB", "-o", out, "--seed", "x"}, "--seed");
  expect({"sector", "unseal", out, "-o", out + ".data"}, "sector.json");
}

}  // namespace
}  // namespace proofline
