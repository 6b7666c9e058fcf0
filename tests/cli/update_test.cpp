// sector update; update vanilla, decode, remove, synthesize; verify update, on the reference's proof.
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

const std::string kSector = data_path("sectors/2k-1").string();
const std::string kUpdate = data_path("sectors/update-2k-1").string();
const std::string kVanilla = data_path("proofs/update-2k-1").string();
const std::string kProof = kVanilla + "/proof.bin";
const std::string kKey = data_path(
                             "keys/v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                             "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.vk")
                             .string();

TEST(UpdateCommand, FromFileToVanillaAndBack) {
  const TempFolder folder;
  const std::string update = (folder / "update").string();
  const auto encoded = run_proofline({"sector", "update", kSector, kUpdate + "/data.bin", "--out", update, "--json"});
  ASSERT_EQ(encoded.status, 0) << encoded.err;
  const auto expected = read_json(kUpdate + "/update.json");
  for (const char* key : {"comm_r_old", "comm_d_new", "comm_r_new", "registered_proof"}) {
    EXPECT_EQ(encoded.json().at(key), expected.at(key)) << key;
  }
  EXPECT_EQ(read_bytes(update + "/replica"), read_bytes(kUpdate + "/replica"));

  const std::string vanilla = (folder / "vanilla").string();
  const auto opened = run_proofline({"update", "vanilla", update, "--sector", kSector, "-o", vanilla, "--json"});
  ASSERT_EQ(opened.status, 0) << opened.err;
  EXPECT_EQ(opened.json().at("partitions"), 1);
  EXPECT_EQ(read_bytes(vanilla + "/vanilla-0.bin"), read_bytes(kVanilla + "/vanilla-0.bin"));
  EXPECT_EQ(read_bytes(vanilla + "/update.json"), read_bytes(update + "/update.json"));

  const std::string file = (folder / "file").string();
  const auto decoded = run_proofline({"update", "decode", update, "--sector", kSector, "-o", file, "--json"});
  ASSERT_EQ(decoded.status, 0) << decoded.err;
  EXPECT_EQ(decoded.json().at("bytes"), 2032);
  EXPECT_EQ(read_bytes(file), read_bytes(kUpdate + "/data.bin"));

  const std::string removed = (folder / "removed").string();
  ASSERT_EQ(run_proofline({"update", "remove", update, "--out", removed}).status, 0);
  EXPECT_EQ(read_bytes(removed + "/sealed"), read_bytes(kSector + "/sealed"));
}

TEST(UpdateCommand, ErrorsNameWhatIsWrong) {
  const TempFolder folder;
  const std::string out = (folder / "out").string();
  const auto other =
      run_proofline({"update", "vanilla", kUpdate, "--sector", data_path("sectors/2k-2").string(), "-o", out});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("by comm_r_old of"));
  const auto no_update = run_proofline({"update", "decode", kSector, "--sector", kSector, "-o", out});
  EXPECT_EQ(no_update.status, 2);
  EXPECT_THAT(no_update.err, HasSubstr("update.json: cannot read this file"));
  const auto size = run_proofline({"update", "synthesize", "--size", "1GiB", "-o", out});
  EXPECT_EQ(size.status, 2);
  EXPECT_THAT(size.err, HasSubstr("no circuit for sectors of 1073741824 bytes"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(UpdateCommand, SynthesizesTheSameFilesFromTheSameSeed) {
  const TempFolder folder;
  const auto synthesize = [&](const std::string& seed, const std::string& name) {
    const auto result = run_proofline(
        {"update", "synthesize", "--size", "32KiB", "--seed", seed, "-o", (folder / name).string(), "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json().at("partitions"), 2);
  };
  synthesize("1", "a");
  synthesize("1", "b");
  synthesize("2", "c");
  EXPECT_EQ(read_bytes(folder / "a/vanilla-1.bin"), read_bytes(folder / "b/vanilla-1.bin"));
  EXPECT_NE(read_bytes(folder / "a/vanilla-1.bin"), read_bytes(folder / "c/vanilla-1.bin"));
  EXPECT_TRUE(read_json(folder / "a/update.json").at("registered_proof").is_null());
}

TEST(VerifyUpdateCommand, TheReferencesProofHolds) {
  const auto result = run_proofline({"verify", "update", kProof, "--vk", kKey, "--update", kUpdate, "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json().at("valid"), true);
}

TEST(VerifyUpdateCommand, StatementOneByOne) {
  const auto about = read_json(kUpdate + "/update.json");
  const auto verify = [&](const std::string& size, const std::string& comm_r_old, const std::string& comm_r_new) {
    return run_proofline({"verify", "update", kProof, "--vk", kKey, "--size", size, "--comm-r-old", comm_r_old,
                          "--comm-d-new", about.at("comm_d_new"), "--comm-r-new", comm_r_new});
  };
  EXPECT_EQ(verify("2KiB", about.at("comm_r_old"), about.at("comm_r_new")).status, 0);
  const auto swapped = verify("2KiB", about.at("comm_r_new"), about.at("comm_r_old"));
  EXPECT_EQ(swapped.status, 1);
  EXPECT_THAT(swapped.out, HasSubstr("NOT valid"));
  const auto larger = verify("8MiB", about.at("comm_r_old"), about.at("comm_r_new"));
  EXPECT_EQ(larger.status, 2);
  EXPECT_THAT(larger.err, HasSubstr("192 bytes, expected 768 (4 partitions of 192 bytes)"));
  EXPECT_EQ(verify("2KiB", "00", about.at("comm_r_new")).status, 2);
  EXPECT_EQ(run_proofline({"verify", "update", kProof, "--vk", kKey, "--size", "2KiB"}).status, 2);
}

TEST(VerifyUpdateCommand, EveryFlippedBitSaysNo) {
  const TempFolder folder;
  const std::string copy = (folder / "proof").string();
  for (const std::size_t bit : {5U, 400U, 1000U, 1535U}) {
    auto bytes = read_bytes(kProof);
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    test::write_bytes(copy, bytes);
    const auto result = run_proofline({"verify", "update", copy, "--vk", kKey, "--update", kVanilla, "--json"});
    EXPECT_EQ(result.status, 1) << bit;
    EXPECT_EQ(result.json().at("valid"), false);
  }
}

TEST(ProveUpdateCommand, BadInput) {
  const TempFolder folder;
  const std::string out = (folder / "proof").string();
  const auto result = run_proofline({"prove", "update", kVanilla, "--params", kKey, "-o", out});
  EXPECT_EQ(result.status, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace proofline
