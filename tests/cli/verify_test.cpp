// verify porep, on the reference's proof.
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

const std::string kKey = data_path(
                             "keys/v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
                             "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk")
                             .string();
const std::string kProof = data_path("proofs/2k-1/proof.bin").string();
const std::string kSector = data_path("sectors/2k-1").string();

TEST(VerifyCommand, TheReferencesProofHolds) {
  const auto result = run_proofline({"verify", "porep", kProof, "--vk", kKey, "--sector", kSector, "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json().at("valid"), true);
}

TEST(VerifyCommand, StatementOneByOne) {
  const auto sector = test::read_json(data_path("sectors/2k-1/sector.json"));
  const auto verify = [&](const std::string& seed) {
    return run_proofline({"verify", "porep", kProof, "--vk", kKey, "--registered-proof", sector.at("registered_proof"),
                          "--replica-id", sector.at("replica_id"), "--comm-d", sector.at("comm_d"), "--comm-r",
                          sector.at("comm_r"), "--seed", seed});
  };
  EXPECT_EQ(verify(sector.at("seed")).status, 0);
  EXPECT_EQ(verify(std::string(64, '0')).status, 1);
  EXPECT_EQ(verify("00").status, 2);
}

TEST(VerifyCommand, AnotherSectorSaysNo) {
  const auto result =
      run_proofline({"verify", "porep", kProof, "--vk", kKey, "--sector", data_path("sectors/2k-2").string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("NOT valid"));
}

TEST(VerifyCommand, EveryFlippedBitSaysNo) {
  const TempFolder folder;
  const std::string copy = (folder / "proof").string();
  for (const std::size_t bit : {5U, 400U, 1000U, 1535U}) {
    auto bytes = read_bytes(kProof);
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    test::write_bytes(copy, bytes);
    const auto result = run_proofline({"verify", "porep", copy, "--vk", kKey, "--sector", kSector, "--json"});
    EXPECT_EQ(result.status, 1) << bit;
    EXPECT_EQ(result.json().at("valid"), false);
    EXPECT_FALSE(result.json().at("reason").get<std::string>().empty());
  }
}

TEST(VerifyCommand, BadInput) {
  const TempFolder folder;
  const std::string copy = (folder / "proof").string();
  test::write_bytes(copy, std::vector<std::uint8_t>(191));
  const auto result = run_proofline({"verify", "porep", copy, "--vk", kKey, "--sector", kSector});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("191 bytes, expected 192 (1 partitions of 192 bytes)"));
  EXPECT_EQ(run_proofline({"verify", "porep", kProof, "--vk", kProof, "--sector", kSector}).status, 2);
  EXPECT_EQ(run_proofline({"verify", "porep", kProof, "--vk", kKey, "--sector", folder.path().string()}).status, 2);
  const std::string window_key = data_path(
                                     "keys/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                                     "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.vk")
                                     .string();
  EXPECT_EQ(run_proofline({"verify", "porep", kProof, "--vk", window_key, "--sector", kSector}).status, 2);
}

}  // namespace
}  // namespace proofline
