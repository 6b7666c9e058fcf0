#include "filecoin/post_statement_file.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_post.hpp"

namespace proofline::filecoin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

PostStatement parse(const std::string& text) {
  return parse_post_statement({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "post.json");
}

std::string rejection(const nlohmann::json& json) {
  try {
    parse(json.dump());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_same(const PostStatement& a, const PostStatement& b) {
  EXPECT_EQ(a.shape.kind, b.shape.kind);
  EXPECT_EQ(a.shape.sector, b.shape.sector);
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.randomness, b.randomness);
  EXPECT_EQ(a.sectors, b.sectors);
}

TEST(PostStatementFile, ReadsTheReferencesInputs) {
  for (const std::string& name : test::kGoldenPosts) {
    expect_same(read_post_statement(test::data_path("posts/" + name + "/inputs.json")),
                test::GoldenPost(name).statement);
  }
}

TEST(PostStatementFile, ComesBack) {
  for (const std::string& name : test::kGoldenPosts) {
    PostStatement statement = test::GoldenPost(name).statement;
    for (const SectorShape& sector : sector_shapes()) {
      for (const ApiVersion version : {ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2}) {
        statement.shape = post_shape(statement.shape.kind, sector);
        statement.version = version;
        expect_same(parse(to_json(statement)), statement);
      }
    }
  }
}

TEST(PostStatementFile, EveryBadKeyIsNamed) {
  const auto good = nlohmann::json::parse(to_json(test::GoldenPost("window-2k-1").statement));
  ASSERT_EQ(rejection(good), "accepted");
  for (const auto& [key, value] : good.items()) {
    auto json = good;
    json.erase(key);
    EXPECT_THAT(rejection(json), AllOf(StartsWith("post.json: "), HasSubstr("\"" + key + "\" is missing")));
    json[key] = nullptr;
    EXPECT_THAT(rejection(json), HasSubstr("\"" + key + "\" must be"));
  }
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto json = good;
    json[key] = value;
    return rejection(json);
  };
  EXPECT_THAT(with("proof", "porep"), HasSubstr("\"porep\""));
  EXPECT_THAT(with("sector_size", 2047), HasSubstr("2047"));
  EXPECT_THAT(with("api_version", "V2"), HasSubstr("V1, V1_1 or V1_2"));
  EXPECT_THAT(with("randomness", "00"), HasSubstr("\"randomness\""));
  EXPECT_THAT(with("randomness", std::string(64, 'f')), HasSubstr("randomness"));
  EXPECT_THAT(with("sectors", nlohmann::json::array()), HasSubstr("no sector"));
  EXPECT_THAT(with("sectors", {1}), HasSubstr("objects"));
  EXPECT_THAT(with("sectors", {{{"id", -1}}}), HasSubstr("\"id\""));
  EXPECT_THAT(with("sectors", {{{"id", 1}, {"comm_r", std::string(64, 'f')}}}), HasSubstr("sector 1: \"comm_r\""));
  EXPECT_THAT(with("sectors", {good["sectors"][0], good["sectors"][0]}), HasSubstr("given twice"));
  EXPECT_THAT(with("sectors", {good["sectors"][1], good["sectors"][0]}), HasSubstr("comes after"));
  for (const char* name : {"", "StackedDrg", "StackedDrgWindow", "StackedDrgWindow2KiB", "StackedDrgWindow2KiBV1_1",
                           "StackedDrgWinning2KiBV1_2", "StackedDrgWindow3KiBV1", "StackedDrg2KiBV1"}) {
    EXPECT_THAT(with("registered_proof", name), HasSubstr("\"registered_proof\"")) << name;
  }
  EXPECT_EQ(with("registered_proof", "StackedDrgWindow64GiBV1"), "accepted");
  EXPECT_THROW(parse("[1]"), InputError);
  EXPECT_THROW(parse("{"), InputError);
  EXPECT_THROW(parse(""), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
