#include "filecoin/update_sector.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/seal.hpp"
#include "filecoin/update_vanilla.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using proofline::test::TempFolder;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Executor kTwo(2);

TEST(UpdateSector, EveryFileEqualsTheReference) {
  const TempFolder folder;
  const auto out = folder / "update";
  const UpdateInfo info =
      update_sector(test::golden_update_sector(), test::golden_update_folder() / "data.bin", out, kTwo, no_progress());
  const UpdateStatement expected = test::golden_update_statement();
  EXPECT_EQ(info.statement.comm_r_old, expected.comm_r_old);
  EXPECT_EQ(info.statement.comm_d_new, expected.comm_d_new);
  EXPECT_EQ(info.statement.comm_r_new, expected.comm_r_new);
  EXPECT_EQ(info.data_bytes, 2032U);
  for (const char* name :
       {"staged", "replica", "cache/p_aux", "cache/sc-02-data-tree-d.dat", "cache/sc-02-data-tree-r-last.dat"}) {
    EXPECT_EQ(test::read_bytes(out / name), test::read_bytes(test::golden_update_folder() / name)) << name;
  }
  EXPECT_EQ(to_json(read_update_info(out / "update.json")), to_json(info));
  const auto json = test::read_json(out / "update.json");
  const auto expected_json = test::read_json(test::golden_update_folder() / "update.json");
  for (const char* key : {"comm_d_new", "comm_r_new", "comm_r_old", "registered_proof"}) {
    EXPECT_EQ(json.at(key), expected_json.at(key)) << key;
  }
}

TEST(UpdateSector, TheReferencesReplicaDecodes) {
  const TempFolder folder;
  EXPECT_EQ(decode_updated_sector(test::golden_update_folder(), test::golden_update_sector(), folder / "data", kTwo,
                                  no_progress()),
            2032U);
  EXPECT_EQ(test::read_bytes(folder / "data"), test::read_bytes(test::golden_update_folder() / "data.bin"));
}

TEST(UpdateSector, RemovingTheDataGivesTheSealedReplica) {
  const TempFolder folder;
  remove_updated_data(test::golden_update_folder(), folder / "sector", kTwo, no_progress());
  for (const char* name : {"sealed", "cache/p_aux", "cache/sc-02-data-tree-r-last.dat"}) {
    EXPECT_EQ(test::read_bytes(folder / "sector" / name), test::read_bytes(test::golden_update_sector() / name))
        << name;
  }
}

/// A sealed sector of any size and an update of it.
struct Updated {
  explicit Updated(std::uint64_t sector_size) {
    const std::vector<std::uint8_t> old_data(300, 5);
    for (std::size_t i = 0; i < 1500; ++i) data.push_back(static_cast<std::uint8_t>(i * i + 3));
    proofline::test::write_bytes(folder / "old", old_data);
    proofline::test::write_bytes(folder / "new", data);
    const SectorIds ids{prover_id(1000), 7, test::filled(1), test::filled(2)};
    seal_sector(folder / "old", sector(), seal_rules(sector_size, ApiVersion::kV1_1), ids, kTwo, no_progress());
    info = update_sector(sector(), folder / "new", update(), kTwo, no_progress());
  }
  std::filesystem::path sector() const { return folder / "sector"; }
  std::filesystem::path update() const { return folder / "update"; }
  TempFolder folder;
  std::vector<std::uint8_t> data;
  UpdateInfo info;
};

class EverySealableSize : public testing::TestWithParam<std::uint64_t> {};

// Sub and top trees, several partitions.
TEST_P(EverySealableSize, UpdatesProvesDecodesAndRemoves) {
  const Updated updated(GetParam());
  const UpdatedSector opened(updated.sector(), updated.update());
  for (unsigned k = 0; k < update_shape(GetParam()).partitions; ++k) {
    EXPECT_NO_THROW(verify_update_partition(opened.statement(), k, opened.open(k, kTwo), "proof", kTwo)) << k;
  }
  const auto& folder = updated.folder;
  decode_updated_sector(updated.update(), updated.sector(), folder / "back", kTwo, no_progress());
  EXPECT_EQ(test::read_bytes(folder / "back"), updated.data);
  remove_updated_data(updated.update(), folder / "removed", kTwo, no_progress());
  EXPECT_EQ(test::read_bytes(folder / "removed" / "sealed"), test::read_bytes(updated.sector() / "sealed"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, EverySealableSize,
                         testing::Values(std::uint64_t{4} << 10, std::uint64_t{16} << 10, std::uint64_t{32} << 10,
                                         std::uint64_t{8} << 20));

TEST(UpdateSector, WhatDoesNotFit) {
  const TempFolder folder;
  const auto& sector = test::golden_update_sector();
  proofline::test::write_bytes(folder / "large", std::vector<std::uint8_t>(2033));
  EXPECT_THAT([&] { update_sector(sector, folder / "large", folder / "out", kTwo, no_progress()); },
              ThrowsMessage<InputError>(HasSubstr("2033 bytes do not fit a 2KiB sector, which holds 2032")));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_THAT(
      [&] {
        decode_updated_sector(test::golden_update_folder(), test::data_path("sectors/2k-2"), folder / "out", kTwo,
                              no_progress());
      },
      ThrowsMessage<InputError>(HasSubstr("but the sector's comm_r in")));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

/// A copy of the reference's update in which one byte of a file differs.
void damaged_copy(const TempFolder& folder, const std::string& file, std::size_t byte) {
  std::filesystem::copy(test::golden_update_folder(), folder / "update", std::filesystem::copy_options::recursive);
  auto bytes = test::read_bytes(folder / "update" / file);
  bytes[byte] ^= 1;
  std::filesystem::remove(folder / "update" / file);
  proofline::test::write_bytes(folder / "update" / file, bytes);
}

TEST(UpdateSector, DamageIsFound) {
  {
    const TempFolder folder;
    damaged_copy(folder, "replica", 100);
    EXPECT_THAT(
        [&] {
          decode_updated_sector(folder / "update", test::golden_update_sector(), folder / "out", kTwo, no_progress());
        },
        ThrowsMessage<InputError>(HasSubstr("does not decode to the data of comm_d_new")));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    EXPECT_THAT([&] { remove_updated_data(folder / "update", folder / "out", kTwo, no_progress()); },
                ThrowsMessage<InputError>(HasSubstr("expected comm_r_old")));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
  const TempFolder folder;
  damaged_copy(folder, "cache/p_aux", 40);
  EXPECT_THAT([&] { remove_updated_data(folder / "update", folder / "out", kTwo, no_progress()); },
              ThrowsMessage<InputError>(HasSubstr("p_aux: hashes to")));
}

TEST(UpdateFiles, BadInfo) {
  const TempFolder folder;
  const auto message = [&](const std::string& text) -> std::string {
    proofline::test::write_bytes(folder / "update.json",
                                 {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    try {
      read_update_info(folder / "update.json");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  auto json = test::read_json(test::golden_update_folder() / "update.json");
  EXPECT_EQ(message(json.dump()), "accepted");
  EXPECT_THAT(message("[1"), HasSubstr("not a JSON object"));
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto changed = json;
    changed[key] = value;
    return message(changed.dump());
  };
  EXPECT_THAT(with("comm_r_old", "00"), HasSubstr("\"comm_r_old\""));
  EXPECT_THAT(with("comm_d_new", std::string(64, 'f')), HasSubstr("\"comm_d_new\""));
  EXPECT_THAT(with("registered_proof", "StackedDrg2KiBV1_1"), HasSubstr("nearest name is \"StackedDrg2KiBV1\""));
  EXPECT_THAT(with("sector_size", 2049), HasSubstr("no circuit for sectors of 2049 bytes"));
  EXPECT_THAT(with("sector_size", 4096), HasSubstr("\"registered_proof\" must be null for this sector_size"));
  EXPECT_THAT(with("data_bytes", 2033), HasSubstr("\"data_bytes\" must be at most 2032"));
}

}  // namespace
}  // namespace proofline::filecoin
