// The whole road with real parameters: minutes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::data_path;
using test::run_proofline;
using test::TempFolder;

TEST(Road, DemoThenTheReferencesSectorWithItsParameters) {
  const TempFolder folder;
  const std::string out = (folder / "demo").string();
  const auto demo = run_proofline({"demo", "--out", out, "--json"});
  ASSERT_EQ(demo.status, 0) << demo.err;
  for (const char* key : {"valid", "flipped_proof_rejected", "flipped_input_rejected", "unsealed_unchanged"}) {
    EXPECT_EQ(demo.json().at(key), true) << key;
  }
  EXPECT_EQ(demo.json().at("proof").get<std::string>().size(), 2 * 192U);
  EXPECT_LT(demo.json().at("peak_rss"), std::uint64_t{2} << 30);

  const std::string params = out + "/porep-2KiB.params";
  EXPECT_EQ(run_proofline({"params", "check", params, "--sector", "2KiB"}).status, 0);

  const std::string c1 = data_path("sectors/2k-2/c1.json").string();
  const std::string proof = (folder / "proof").string();
  const auto proved = run_proofline({"prove", "porep", c1, "--params", params, "-o", proof, "--json"});
  ASSERT_EQ(proved.status, 0) << proved.err;
  EXPECT_EQ(proved.json().at("bytes"), 192);
  const std::string key = out + "/porep-2KiB.vk";
  EXPECT_EQ(run_proofline({"verify", "porep", proof, "--vk", key, "--c1", c1}).status, 0);
  EXPECT_EQ(
      run_proofline({"verify", "porep", proof, "--params", params, "--sector", data_path("sectors/2k-2").string()})
          .status,
      0);
  EXPECT_EQ(run_proofline({"verify", "porep", proof, "--vk", key, "--sector", out + "/sector"}).status, 1);

  const auto again = run_proofline({"demo", "--out", out, "--json", "--quiet"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json().at("parameters_reused"), true);
}

}  // namespace
}  // namespace proofline
