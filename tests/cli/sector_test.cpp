// sector seal and unseal.
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
  expect({"sector", "unseal", out, "-o", out + ".data"}, "sector.json");
}

}  // namespace
}  // namespace proofline
