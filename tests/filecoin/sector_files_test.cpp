#include "filecoin/sector_files.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using test::filled;
using test::TempFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class SectorInfoFile : public ::testing::Test {
 protected:
  SectorInfo read(const nlohmann::json& json) const { return read_text(json.dump()); }
  SectorInfo read_text(const std::string& text) const {
    std::ofstream(temp_ / "sector.json") << text;
    return read_sector_info(temp_ / "sector.json");
  }
  nlohmann::json golden() const { return test::GoldenSector("2k-1").json; }
  TempFolder temp_;
};

TEST_F(SectorInfoFile, ReadsTheReferences) {
  const SectorInfo info = read(golden());
  EXPECT_EQ(info.rules.sector_size, 2048U);
  EXPECT_EQ(info.rules.version, ApiVersion::kV1_1);
  EXPECT_EQ(info.rules.porep_id[0], 5);
  EXPECT_EQ(info.rules.proof, RegisteredSealProof{5});
  EXPECT_EQ(info.ids.sector_id, 1U);
  EXPECT_EQ(info.data_bytes, 2032U);
  EXPECT_EQ(test::hex(info.comm_d), golden()["comm_d"]);
}

TEST_F(SectorInfoFile, ComesBackAsWritten) {
  for (const std::uint64_t size : {2048U, 4096U}) {
    SectorInfo info;
    info.rules = seal_rules(size, ApiVersion::kV1_0);
    info.ids = {filled(1), UINT64_MAX, filled(3), filled(4)};
    info.data_bytes = 1000;
    info.piece_unpadded_size = 1016;
    info.piece_commitment = filled(5);
    info.comm_d = filled(6);
    info.comm_r = filled(7);
    info.replica_id = filled(8);
    const SectorInfo back = read_text(to_json(info));
    EXPECT_EQ(to_json(back), to_json(info));
    EXPECT_EQ(back.rules.proof, info.rules.proof);
    EXPECT_EQ(back.ids.sector_id, UINT64_MAX);
    EXPECT_EQ(back.data_bytes, 1000U);
  }
}

TEST_F(SectorInfoFile, ErrorsNameFileAndKey) {
  for (const char* key : {"comm_d", "comm_r", "replica_id", "prover_id", "ticket", "seed", "piece_commitment"}) {
    auto json = golden();
    json.erase(key);
    EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(AllOf(HasSubstr("sector.json"), HasSubstr(key))));
    json[key] = std::string(62, '0') + "0g";
    EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(AllOf(HasSubstr(key), HasSubstr("hexadecimal"))));
    json[key] = "00";
    EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(HasSubstr(key)));
    json[key] = 7;
    EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(HasSubstr(key)));
  }
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto json = golden();
    json[key] = value;
    return [this, json] { read(json); };
  };
  EXPECT_THAT(with("sector_id", -1), ThrowsMessage<InputError>(HasSubstr("sector_id")));
  EXPECT_THAT(with("sector_id", 1.5), ThrowsMessage<InputError>(HasSubstr("sector_id")));
  EXPECT_THAT(with("registered_proof", "StackedDrg3KiBV1"), ThrowsMessage<InputError>(HasSubstr("StackedDrg2KiBV1")));
  EXPECT_THAT(with("registered_proof", nullptr), ThrowsMessage<InputError>(HasSubstr("sector_size")));
  EXPECT_THAT(with("sector_size", 4096), ThrowsMessage<InputError>(HasSubstr("2048 for this registered_proof")));
  EXPECT_THAT(with("porep_id", std::string(64, '0')), ThrowsMessage<InputError>(HasSubstr("porep_id")));
  EXPECT_THAT(with("piece_unpadded_size", 2033), ThrowsMessage<InputError>(HasSubstr("at most 2032")));
  EXPECT_THAT(with("data_bytes", 2033), ThrowsMessage<InputError>(HasSubstr("data_bytes")));
  EXPECT_THAT([&] { read_text("[]"); }, ThrowsMessage<InputError>(HasSubstr("not a JSON object")));
  EXPECT_THAT([&] { read_text(golden().dump().substr(0, 100)); }, ThrowsMessage<InputError>(HasSubstr("JSON")));
  EXPECT_THAT([&] { read_sector_info(temp_ / "missing"); }, ThrowsMessage<IoError>(HasSubstr("missing")));
}

TEST(SealRules, SizesWithAndWithoutRegisteredProof) {
  EXPECT_EQ(seal_rules(8U << 20, ApiVersion::kV1_1).proof, RegisteredSealProof{6});
  EXPECT_EQ(seal_rules(2048, ApiVersion::kV1_0).proof, RegisteredSealProof{0});
  const SealRules rules = seal_rules(16384, ApiVersion::kV1_1);
  EXPECT_FALSE(rules.proof);
  EXPECT_EQ(rules.sector_size, 16384U);
  EXPECT_EQ(rules.porep_id[0], 5);
  EXPECT_THROW(seal_rules(2048, ApiVersion::kV1_2), InputError);
  EXPECT_THROW(seal_rules(1000, ApiVersion::kV1_1), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
