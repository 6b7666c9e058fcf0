// post challenges, post winning-sector, post vanilla, post synthesize, and prove and verify of both proofs of
// spacetime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::CommandResult;
using test::data_path;
using test::read_bytes;
using test::run_proofline;
using test::TempFolder;
using testing::HasSubstr;

const std::string kStem =
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0";
const std::string kParams = data_path("params/" + kStem + ".params").string();
const std::string kKey = data_path("keys/" + kStem + ".vk").string();
const std::string kWinningKey = data_path(
                                    "keys/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                                    "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.vk")
                                    .string();

std::string post_file(const std::string& post, const std::string& file) {
  return data_path("posts/" + post + "/" + file).string();
}

nlohmann::json inputs(const std::string& post) {
  return test::read_json(post_file(post, "inputs.json"));
}

void expect_error(const CommandResult& result, const std::string& text) {
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr(text));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(PostCommand, ChallengesAreTheReferences) {
  for (const std::string post : {"winning-2k-1", "window-2k-1"}) {
    const auto result = run_proofline({"post", "challenges", "--post", post_file(post, "inputs.json"), "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto sectors = inputs(post).at("sectors");
    ASSERT_EQ(result.json().at("sectors").size(), sectors.size());
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      EXPECT_EQ(result.json().at("sectors")[i].at("challenges"), sectors[i].at("challenges"));
    }
  }
  const std::string randomness = inputs("window-2k-1").at("randomness");
  const auto flags = [&](const std::string& version) {
    return run_proofline({"post", "challenges", "--kind", "window", "--size", "2KiB", "--randomness", randomness,
                          "--sector", "1", "--sector", "2", "--api-version", version});
  };
  EXPECT_EQ(flags("V1_2").out, "sector 1: 21 44 30 55 12 54 22 17 16 9\nsector 2: 19 30 58 3 3 29 41 50 10 54\n");
  EXPECT_NE(flags("V1_1").out, flags("V1_2").out);
  expect_error(flags("V3"), "--api-version");
}

TEST(PostCommand, ChallengesRefuseBadInput) {
  const std::string good(64, '0');
  const auto with = [&](const std::string& randomness, const std::string& first, const std::string& second) {
    return run_proofline({"post", "challenges", "--kind", "window", "--size", "2KiB", "--randomness", randomness,
                          "--sector", first, "--sector", second});
  };
  EXPECT_EQ(with(good, "1", "2").status, 0);
  expect_error(with(std::string(62, '0') + "c0", "1", "2"), "randomness");
  expect_error(with("00", "1", "2"), "--randomness");
  expect_error(with(good, "2", "1"), "sector 1 comes after sector 2");
  expect_error(with(good, "2", "2"), "sector 2 is given twice");
  expect_error(run_proofline({"post", "challenges"}), "--post");
  expect_error(run_proofline({"post", "challenges", "--kind", "window"}), "requires");
  expect_error(run_proofline({"post", "challenges", "--kind", "porep"}), "--kind");
}

TEST(PostCommand, WinningSectorIsOneOfTheProviders) {
  const auto with = [&](const std::string& sectors) {
    return run_proofline({"post", "winning-sector", "--miner", "1000", "--randomness", std::string(64, '1'),
                          "--sectors", sectors, "--json"});
  };
  EXPECT_EQ(with("1").json().at("index"), 0);
  EXPECT_LT(with("100").json().at("index").get<std::uint64_t>(), 100U);
  const auto by_id = run_proofline({"post", "winning-sector", "--prover-id", "e807" + std::string(60, '0'),
                                    "--randomness", std::string(64, '1'), "--sectors", "100", "--json"});
  EXPECT_EQ(by_id.json(), with("100").json());
  expect_error(with("0"), "without sectors");
}

/// `post vanilla` of the golden sectors.
CommandResult vanilla(const std::string& out, std::initializer_list<std::string> sectors, const std::string& kind) {
  std::vector<std::string> arguments = {"post", "vanilla"};
  for (const std::string& sector : sectors) arguments.push_back(data_path("sectors/" + sector).string());
  const std::string randomness = inputs("window-2k-1").at("randomness");
  for (const std::string& argument : {std::string("--kind"), kind, std::string("--randomness"), randomness,
                                      std::string("-o"), out, std::string("--json")}) {
    arguments.push_back(argument);
  }
  return run_proofline(arguments);
}

TEST(PostCommand, FromSectorsToAVerifiedWindowPost) {
  const TempFolder folder;
  const std::string post = (folder / "post").string(), proof = (folder / "proof").string();
  const auto made = vanilla(post, {"2k-2", "2k-1"}, "window");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json().at("sectors"), 2);
  EXPECT_TRUE(read_bytes(post + "/vanilla-1.bin") == read_bytes(post_file("window-2k-1", "vanilla-0.bin")));
  EXPECT_TRUE(read_bytes(post + "/vanilla-2.bin") == read_bytes(post_file("window-2k-1", "vanilla-1.bin")));

  const auto proved = run_proofline({"prove", "window-post", post, "--params", kParams, "-o", proof, "--json"});
  ASSERT_EQ(proved.status, 0) << proved.err;
  EXPECT_EQ(proved.json().at("bytes"), 192);
  const auto verify = [&](const std::string& key, const std::string& statement) {
    return run_proofline({"verify", "window-post", proof, "--vk", key, "--post", statement});
  };
  EXPECT_EQ(verify(kKey, post + "/post.json").status, 0);
  EXPECT_EQ(verify(kKey, post_file("window-2k-1", "inputs.json")).status, 0);
  expect_error(verify(kWinningKey, post + "/post.json"), "inputs");
  auto bytes = read_bytes(proof);
  bytes[100] ^= 1;
  test::write_bytes(proof, bytes);
  EXPECT_EQ(verify(kKey, post + "/post.json").status, 1);
  bytes.pop_back();
  test::write_bytes(proof, bytes);
  expect_error(verify(kKey, post + "/post.json"), "191 bytes, expected 192");
}

TEST(PostCommand, FaultySectorsAreListedAndNothingWritten) {
  const TempFolder folder;
  std::filesystem::copy(data_path("sectors/2k-1"), folder / "bad", std::filesystem::copy_options::recursive);
  std::filesystem::remove(folder / "bad" / "cache" / "p_aux");
  const std::string out = (folder / "out").string();
  const auto result = run_proofline({"post", "vanilla", (folder / "bad").string(), data_path("sectors/2k-2").string(),
                                     "--kind", "window", "--randomness", std::string(64, '0'), "-o", out});
  expect_error(result, "faulty sectors: 1 (");
  EXPECT_FALSE(std::filesystem::exists(out));
  expect_error(vanilla(out, {"2k-1", "2k-1"}, "window"), "given twice");
  expect_error(vanilla(out, {"2k-1", "2k-2"}, "winning"), "exactly one sector");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(PostCommand, SeveralPartitionsAreProvedOneAfterAnother) {
  const TempFolder folder;
  const std::string post = (folder / "post").string(), proof = (folder / "proof").string();
  const auto made = run_proofline(
      {"post", "synthesize", "--kind", "window", "--size", "2KiB", "--sectors", "3", "-o", post, "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json().at("partitions"), 2);
  const auto proved = run_proofline({"prove", "window-post", post, "--params", kParams, "-o", proof, "--json"});
  ASSERT_EQ(proved.status, 0) << proved.err;
  EXPECT_EQ(std::filesystem::file_size(proof), 2 * 192U);
  EXPECT_EQ(run_proofline({"verify", "window-post", proof, "--params", kParams, "--post", post + "/post.json"}).status,
            0);
}

TEST(PostCommand, TheReferencesProofsHold) {
  for (const std::string post : {"winning-2k-1", "window-2k-1"}) {
    const bool winning = post == "winning-2k-1";
    const std::string command = winning ? "winning-post" : "window-post";
    const std::string key = winning ? kWinningKey : kKey;
    const std::string proof = data_path("proofs/" + post + "/proof.bin").string();
    const std::string file = post_file(post, "inputs.json");
    EXPECT_EQ(run_proofline({"verify", command, proof, "--vk", key, "--post", file, "--json"}).json().at("valid"),
              true);
    const auto json = inputs(post);
    std::vector<std::string> arguments = {
        "verify", command, proof, "--vk", key, "--size", "2KiB", "--randomness", json.at("randomness")};
    for (const auto& sector : json.at("sectors")) {
      arguments.push_back("--sector");
      arguments.push_back(std::to_string(sector.at("id").get<int>()) + ":" + sector.at("comm_r").get<std::string>());
    }
    EXPECT_EQ(run_proofline(arguments).status, 0);
    arguments.back()[2] = arguments.back()[2] == '0' ? '1' : '0';
    EXPECT_EQ(run_proofline(arguments).status, 1);
    arguments.back() = "1";
    expect_error(run_proofline(arguments), "ID:COMM_R");
    expect_error(
        run_proofline({"verify", winning ? "window-post" : "winning-post", proof, "--vk", key, "--post", file}),
        "this is about a " + command);
  }
}

TEST(PostCommand, ProveSaysWhatIsWrong) {
  const TempFolder folder;
  const std::string first = post_file("window-2k-1", "vanilla-0.bin"),
                    second = post_file("window-2k-1", "vanilla-1.bin");
  const std::string statement = post_file("window-2k-1", "inputs.json");
  const std::string out = (folder / "proof").string();
  const auto prove = [&](const std::vector<std::string>& files, const std::string& file = "") {
    std::vector<std::string> arguments = {"prove", "window-post"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    for (const std::string& argument : {std::string("--post"), file.empty() ? statement : file, std::string("--params"),
                                        kParams, std::string("-o"), out}) {
      arguments.push_back(argument);
    }
    return run_proofline(arguments);
  };
  EXPECT_EQ(prove({first, second}).status, 0);
  EXPECT_EQ(std::filesystem::file_size(out), 192U);
  std::filesystem::remove(out);
  expect_error(prove({second, first}), "the vanilla proof of sector 1 expected at place 0, got that of sector 2");
  expect_error(prove({first, first}), "the vanilla proof of sector 2 expected at place 1, got that of sector 1");
  expect_error(prove({first}), "vanilla proofs of 2 sectors expected");
  expect_error(prove({first, second, second}), "vanilla proofs of 2 sectors expected");
  expect_error(prove({first, "/nonexistent/v.bin"}), "/nonexistent/v.bin");
  expect_error(prove({first, second}, post_file("winning-2k-1", "inputs.json")), "this is about a winning-post");
  const std::string damaged = (folder / "vanilla.bin").string();
  auto bytes = read_bytes(second);
  bytes[200] ^= 1;
  test::write_bytes(damaged, bytes);
  expect_error(prove({first, damaged}), "sector 2: inclusion_proofs[0]");
  bytes.resize(3000);
  test::write_bytes(damaged, bytes);
  expect_error(prove({first, damaged}), damaged);
  EXPECT_FALSE(std::filesystem::exists(out));

  const std::string randomness = inputs("window-2k-1").at("randomness");
  const auto flags = [&](const std::string& hex) {
    return run_proofline(
        {"prove", "window-post", first, second, "--size", "2KiB", "--randomness", hex, "--params", kParams, "-o", out});
  };
  EXPECT_EQ(flags(randomness).status, 0);
  expect_error(flags(std::string(62, '0') + "c0"), "randomness");
  expect_error(flags(std::string(64, '0')), "challenged leaf");
  expect_error(run_proofline({"prove", "window-post", first, "--params", kParams, "-o", out}), "--post");
  expect_error(run_proofline({"prove", "window-post", folder.path().string(), "--params", kParams, "-o", out}),
               "post.json");
}

}  // namespace
}  // namespace proofline
