#include "filecoin/parameter_name.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/circuit_id.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

CircuitKind kind_of(const std::string& name) {
  if (name == "porep") return CircuitKind::kPorep;
  if (name == "winning") return CircuitKind::kWinningPost;
  if (name == "window") return CircuitKind::kWindowPost;
  EXPECT_EQ(name, "update");
  return CircuitKind::kUpdate;
}

TEST(ParameterName, IdentifiersAndStemsOfTheReference) {
  const nlohmann::json published = test::read_json(test::data_path("upstream/parameters.json"));
  const nlohmann::json entries = test::read_json(test::data_path("upstream/param_identifiers.json"));
  ASSERT_EQ(entries.size(), 20U);
  for (const auto& entry : entries) {
    const CircuitKind kind = kind_of(entry["kind"]);
    const SectorShape& sector = sector_shape(entry["sector_size"].get<std::uint64_t>());
    SCOPED_TRACE(circuit_id(kind, sector));
    EXPECT_EQ(parameter_identifier(kind, sector), entry["identifier"]);
    const std::string stem = parameter_stem(kind, sector);
    EXPECT_EQ(stem, entry["file_stem"]);
    for (const char* extension : {".params", ".vk"}) {
      ASSERT_TRUE(published.contains(stem + extension));
      EXPECT_EQ(published[stem + extension]["sector_size"], sector.sector_size);
    }
  }
}

TEST(ParameterName, SizesWithoutPublishedParametersHaveNamesToo) {
  EXPECT_THAT(
      parameter_stem(CircuitKind::kPorep, sector_shape("4KiB")),
      ::testing::StartsWith("v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-2-0-sha256_hasher-"));
  EXPECT_THROW(parameter_stem(CircuitKind::kUpdate, sector_shape("1GiB")), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
