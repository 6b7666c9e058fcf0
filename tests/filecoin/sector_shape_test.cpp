#include "filecoin/sector_shape.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/registered_proof.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

using ::testing::HasSubstr;
using ::testing::Throws;
using ::testing::ThrowsMessage;

TEST(SectorShape, EverySizeIsFoundByBytesAndByName) {
  ASSERT_EQ(sector_shapes().size(), 10U);
  std::uint64_t previous = 0;
  for (const SectorShape& shape : sector_shapes()) {
    EXPECT_GT(shape.sector_size, previous);
    previous = shape.sector_size;
    EXPECT_EQ(&sector_shape(shape.sector_size), &shape);
    EXPECT_EQ(&sector_shape(shape.name), &shape);
    EXPECT_EQ(&sector_shape(std::to_string(shape.sector_size)), &shape);
  }
  EXPECT_EQ(sector_shape(" 32 gib ").sector_size, std::uint64_t{1} << 35);
}

TEST(SectorShape, TreesFitTheNodes) {
  for (const SectorShape& shape : sector_shapes()) {
    const PathShape path = path_shape(shape.tree, shape.nodes());
    std::uint64_t leaves = 1;
    for (unsigned i = 0; i < path.base_levels; ++i) leaves *= shape.tree.base;
    if (shape.tree.sub != 0) leaves *= shape.tree.sub;
    if (shape.tree.top != 0) leaves *= shape.tree.top;
    EXPECT_EQ(leaves, shape.nodes()) << shape.name;
  }
}

// The reference's minimum numbers of challenges: 2 up to 1 GiB, 176 for 32 and 64 GiB.
TEST(SectorShape, ChallengesReachTheMinimum) {
  for (const SectorShape& shape : sector_shapes()) {
    const unsigned minimum = shape.sector_size > (std::uint64_t{1} << 30) ? 176 : 2;
    EXPECT_GE(shape.challenges_per_partition * shape.partitions, minimum) << shape.name;
    EXPECT_LT(shape.challenges_per_partition * (shape.partitions - 1), minimum) << shape.name;
  }
}

TEST(SectorShape, UnknownSizesNameTheKnownOnes) {
  EXPECT_THAT([] { sector_shape(std::uint64_t{2047}); }, ThrowsMessage<InputError>(HasSubstr("2KiB, 4KiB, 16KiB")));
  EXPECT_THAT([] { sector_shape("3KiB"); }, ThrowsMessage<InputError>(HasSubstr("\"3KiB\"")));
  EXPECT_THAT([] { sector_shape(""); }, Throws<InputError>());
  EXPECT_THAT([] { sector_shape("99999999999999999999999"); }, Throws<InputError>());
}

TEST(PathShape, RejectsLeavesThatDoNotFit) {
  EXPECT_EQ(path_shape({8, 8, 2}, 1024).base_levels, 2U);
  EXPECT_EQ(path_shape({2, 0, 0}, 64).base_levels, 6U);
  EXPECT_THAT([] { path_shape({8, 0, 0}, 128); }, ThrowsMessage<InputError>(HasSubstr("8-0-0 does not fit 128")));
  EXPECT_THAT([] { path_shape({8, 0, 2}, 128); }, Throws<InputError>());
  EXPECT_THAT([] { path_shape({8, 0, 0}, 0); }, Throws<InputError>());
  EXPECT_THAT([] { path_shape({0, 0, 0}, 8); }, Throws<InputError>());
}

TEST(RegisteredProof, NumbersNamesAndPorepIds) {
  const SealProofInfo& info = seal_proof_info(RegisteredSealProof{8});
  EXPECT_EQ(info.json_name, "StackedDrg32GiBV1_1");
  EXPECT_EQ(info.shape_name, "StackedDrg32GiBV1");
  EXPECT_EQ(info.shape().name, "32GiB");
  EXPECT_EQ(seal_proof_info(RegisteredSealProof{19}).json_name, "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep");
  EXPECT_EQ(seal_proof_info(RegisteredSealProof{10}).json_name, "StackedDrg2KiBV1_1_Feat_SyntheticPoRep");
  for (std::int64_t i = 0; i < 20; ++i) {
    const SealProofInfo& row = seal_proof_info(RegisteredSealProof{i});
    EXPECT_EQ(static_cast<std::int64_t>(row.proof), i);
    EXPECT_EQ(&seal_proof_info(row.json_name), &row);
    // Name and size agree.
    EXPECT_THAT(std::string(row.json_name), HasSubstr(std::string(row.shape().name) + "V1"));
    EXPECT_TRUE(row.json_name.starts_with(row.shape_name));
  }
}

TEST(RegisteredProof, PorepIdsOfTheReference) {
  for (const auto& entry : test::read_json(test::data_path("kat/graph.json"))) {
    const SealProofInfo& info = seal_proof_info(entry["registered_proof"].get<std::string>());
    EXPECT_EQ(test::hex(info.porep_id), entry["porep_id"]);
    EXPECT_EQ(info.shape().nodes(), entry["nodes"]);
    EXPECT_EQ(info.api_version, entry["api_version"] == "1.0.0" ? ApiVersion::kV1_0 : ApiVersion::kV1_1);
    EXPECT_EQ(&seal_proof_info(info.sector_size, info.api_version), &info);
  }
}

TEST(RegisteredProof, RejectsWhatIsNotInTheTable) {
  EXPECT_THAT([] { seal_proof_info(RegisteredSealProof{20}); }, ThrowsMessage<InputError>(HasSubstr("0 to 19")));
  EXPECT_THAT([] { seal_proof_info(RegisteredSealProof{-1}); }, Throws<InputError>());
  EXPECT_THAT([] { seal_proof_info("StackedDrg32GiBv1_1"); },
              ThrowsMessage<InputError>(HasSubstr("\"StackedDrg32GiBV1_1\"")));
  EXPECT_THAT([] { seal_proof_info(std::string(1000000, 'x')); }, Throws<InputError>());
  EXPECT_THAT([] { seal_proof_info(4096, ApiVersion::kV1_1); }, ThrowsMessage<InputError>(HasSubstr("4KiB")));
  EXPECT_THAT([] { seal_proof_info(2048, ApiVersion::kV1_2); }, Throws<InputError>());
}

}  // namespace
}  // namespace proofline::filecoin
