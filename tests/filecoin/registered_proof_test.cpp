#include "filecoin/registered_proof.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

using ::testing::HasSubstr;
using ::testing::Throws;
using ::testing::ThrowsMessage;

TEST(SealProofs, NumbersNamesAndPorepIds) {
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

TEST(SealProofs, PorepIdsOfTheReference) {
  for (const auto& entry : test::read_json(test::data_path("kat/graph.json"))) {
    const SealProofInfo& info = seal_proof_info(entry["registered_proof"].get<std::string>());
    EXPECT_EQ(test::hex(info.porep_id), entry["porep_id"]);
    EXPECT_EQ(info.shape().nodes(), entry["nodes"]);
    EXPECT_EQ(info.api_version, entry["api_version"] == "1.0.0" ? ApiVersion::kV1_0 : ApiVersion::kV1_1);
    EXPECT_EQ(&seal_proof_info(info.sector_size, info.api_version), &info);
  }
}

TEST(SealProofs, RejectsWhatIsNotInTheTable) {
  EXPECT_THAT([] { seal_proof_info(RegisteredSealProof{20}); }, ThrowsMessage<InputError>(HasSubstr("0 to 19")));
  EXPECT_THAT([] { seal_proof_info(RegisteredSealProof{-1}); }, Throws<InputError>());
  EXPECT_THAT([] { seal_proof_info("StackedDrg32GiBv1_1"); },
              ThrowsMessage<InputError>(HasSubstr("\"StackedDrg32GiBV1_1\"")));
  EXPECT_THAT([] { seal_proof_info(std::string(1000000, 'x')); }, Throws<InputError>());
  EXPECT_THAT([] { seal_proof_info(4096, ApiVersion::kV1_1); }, ThrowsMessage<InputError>(HasSubstr("4KiB")));
  EXPECT_THAT([] { seal_proof_info(2048, ApiVersion::kV1_2); }, Throws<InputError>());
}

TEST(SealProofs, ProofLengthsOfTheChain) {
  for (const SealProofInfo& info : seal_proofs()) {
    const bool large = info.sector_size >= std::uint64_t{32} << 30;
    if (info.feature == SealFeature::kNonInteractivePoRep) {
      EXPECT_EQ(info.partitions(), large ? 126U : 13U);
      EXPECT_GE(info.partitions() * info.shape().challenges_per_partition, large ? 2253U : 26U);
    } else {
      EXPECT_EQ(info.proof_bytes(), large ? 1920U : 192U) << info.json_name;
    }
  }
  EXPECT_EQ(seal_proof_info(RegisteredSealProof{18}).proof_bytes(), 24192U);
}

TEST(PoStProofs, NumbersNamesAndVersions) {
  ASSERT_EQ(post_proofs().size(), 15U);
  for (std::int64_t i = 0; i < 15; ++i) {
    const PoStProofInfo& info = post_proof_info(RegisteredPoStProof{i});
    EXPECT_EQ(static_cast<std::int64_t>(info.proof), i);
    EXPECT_EQ(&post_proof_info(info.json_name), &info);
    const std::string name = "StackedDrg" + std::string(info.kind == PostKind::kWinning ? "Winning" : "Window") +
                             std::string(info.shape().sector->name) + (i >= 10 ? "V1_2" : "V1");
    EXPECT_EQ(info.json_name, name);
    EXPECT_EQ(info.kind, i < 5 ? PostKind::kWinning : PostKind::kWindow);
    EXPECT_EQ(info.api_version, i < 10 ? ApiVersion::kV1_0 : ApiVersion::kV1_2);
  }
  EXPECT_EQ(post_proof_info(RegisteredPoStProof{3}).json_name, "StackedDrgWinning32GiBV1");
  EXPECT_EQ(post_proof_info(RegisteredPoStProof{14}).json_name, "StackedDrgWindow64GiBV1_2");
}

TEST(PoStProofs, OneCircuitProofAPartition) {
  const PoStProofInfo& window = post_proof_info("StackedDrgWindow32GiBV1_2");
  EXPECT_EQ(window.partitions(2349), 1U);
  EXPECT_EQ(window.proof_bytes(2350), 384U);
  EXPECT_EQ(post_proof_info("StackedDrgWinning32GiBV1").proof_bytes(1), 192U);
  EXPECT_THROW(window.proof_bytes(0), InputError);
}

TEST(PoStProofs, RejectsWhatIsNotInTheTable) {
  EXPECT_THAT([] { post_proof_info(RegisteredPoStProof{15}); }, ThrowsMessage<InputError>(HasSubstr("0 to 14")));
  // Go's name of number 10.
  EXPECT_THAT([] { post_proof_info("StackedDrgWindow2KiBV1_1"); },
              ThrowsMessage<InputError>(HasSubstr("\"StackedDrgWindow2KiBV1_2\"")));
}

TEST(UpdateProofs, NumbersNamesAndLengths) {
  ASSERT_EQ(update_proofs().size(), 5U);
  for (std::int64_t i = 0; i < 5; ++i) {
    const UpdateProofInfo& info = update_proof_info(RegisteredUpdateProof{i});
    EXPECT_EQ(static_cast<std::int64_t>(info.proof), i);
    EXPECT_EQ(info.json_name, "StackedDrg" + std::string(info.shape().name) + "V1");
    EXPECT_EQ(&update_proof_info(info.json_name), &info);
    EXPECT_EQ(find_update_proof(info.sector_size), &info);
  }
  EXPECT_EQ(update_proof_info(RegisteredUpdateProof{0}).proof_bytes(), 192U);
  EXPECT_EQ(update_proof_info(RegisteredUpdateProof{1}).proof_bytes(), 768U);
  EXPECT_EQ(update_proof_info(RegisteredUpdateProof{3}).proof_bytes(), 3072U);
  EXPECT_EQ(find_update_proof(4096), nullptr);
  EXPECT_THAT([] { update_proof_info(RegisteredUpdateProof{-1}); }, ThrowsMessage<InputError>(HasSubstr("0 to 4")));
  EXPECT_THAT([] { update_proof_info("StackedDrg32GiBV1_1"); },
              ThrowsMessage<InputError>(HasSubstr("\"StackedDrg32GiBV1\"")));
}

TEST(RegisteredProofs, CircuitIds) {
  EXPECT_EQ(seal_proof_info("StackedDrg2KiBV1").circuit_id(), "porep-2k");
  EXPECT_EQ(seal_proof_info("StackedDrg32GiBV1_2_Feat_NonInteractivePoRep").circuit_id(), "porep-32g");
  EXPECT_EQ(post_proof_info("StackedDrgWinning8MiBV1").circuit_id(), "winning-8m");
  EXPECT_EQ(post_proof_info("StackedDrgWindow64GiBV1_2").circuit_id(), "wpost-64g");
  EXPECT_EQ(update_proof_info("StackedDrg512MiBV1").circuit_id(), "snap-512m");
}

}  // namespace
}  // namespace proofline::filecoin
