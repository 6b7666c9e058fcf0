#include "filecoin/challenges.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

Bytes32 filled(std::uint8_t byte) {
  Bytes32 out;
  out.fill(byte);
  return out;
}

TEST(InteractiveChallenges, KnownAnswersOfTheReference) {
  const nlohmann::json answers = test::read_json(test::data_path("kat/challenges.json"));
  for (const auto& entry : answers.at("interactive")) {
    const SectorShape& shape = sector_shape(entry["nodes"].get<std::uint64_t>() * kNodeBytes);
    ASSERT_EQ(entry["per_partition"], shape.challenges_per_partition);
    ASSERT_EQ(entry["partitions"].size(), shape.partitions);
    for (unsigned k = 0; k < shape.partitions; ++k) {
      EXPECT_EQ(interactive_challenges(shape, filled(0x11), filled(0x33), k),
                entry["partitions"][k].get<std::vector<std::uint64_t>>());
    }
  }
}

TEST(InteractiveChallenges, PartitionsCutOneSequence) {
  const auto all = interactive_challenges(1U << 20, 40, filled(1), filled(2), 0);
  for (unsigned k = 0; k < 4; ++k) {
    const auto part = interactive_challenges(1U << 20, 10, filled(1), filled(2), k);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 10 * k));
  }
}

TEST(InteractiveChallenges, NodeZeroIsNeverChallenged) {
  const auto challenges = interactive_challenges(3, 200, filled(1), filled(2), 0);
  EXPECT_THAT(challenges, ::testing::Each(::testing::AnyOf(1U, 2U)));
  EXPECT_THAT(challenges, ::testing::Contains(1U));
  EXPECT_THAT(challenges, ::testing::Contains(2U));
}

TEST(InteractiveChallenges, RejectsPartitionsAndSizesThatDoNotExist) {
  EXPECT_THAT([] { interactive_challenges(sector_shape("2KiB"), {}, {}, 1); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("partition 1 of a 2KiB")));
  EXPECT_THROW(interactive_challenges(1, 2, {}, {}, 0), InputError);
}

/// The integer mod nodes - 1, plus 1, bit by bit from the top.
std::uint64_t node_of(const Bytes32& hash, std::uint64_t nodes) {
  std::uint64_t remainder = 0;
  for (std::size_t bit = 256; bit-- > 0;) remainder = (2 * remainder + (hash[bit / 8] >> (bit % 8) & 1U)) % (nodes - 1);
  return remainder + 1;
}

TEST(NonInteractiveChallenges, FollowTheDefinitionInAllPartitions) {
  for (const char* name :
       {"StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep"}) {
    const SealProofInfo& info = seal_proof_info(name);
    std::uint32_t j = 0;
    for (unsigned k = 0; k < info.partitions(); ++k) {
      for (const std::uint64_t challenge : porep_challenges(info, filled(0x11), filled(0x22), filled(0x33), k)) {
        const std::string tag = "filecoin.io|PoRep|1|NonInteractive|1";
        std::vector<std::uint8_t> message(tag.begin(), tag.end());
        message.insert(message.end(), 32, 0x11);
        message.insert(message.end(), 32, 0x22);
        for (unsigned byte = 0; byte < 4; ++byte) message.push_back(static_cast<std::uint8_t>(j >> (8 * byte)));
        EXPECT_EQ(challenge, node_of(sha256(message), info.shape().nodes()));
        ++j;
      }
    }
    EXPECT_EQ(j, info.partitions() == 13 ? 26U : 2268U);
    EXPECT_THROW(porep_challenges(info, {}, {}, {}, info.partitions()), InputError);
  }
}

// Computed by a Python program of five lines.
TEST(NonInteractiveChallenges, KnownAnswers) {
  const auto challenges = [](std::uint64_t nodes, unsigned per_partition, unsigned k) {
    return non_interactive_challenges(nodes, per_partition, filled(0x11), filled(0x22), k);
  };
  using List = std::vector<std::uint64_t>;
  EXPECT_EQ(challenges(64, 2, 0), (List{5, 40}));
  EXPECT_EQ(challenges(64, 2, 12), (List{23, 51}));
  const List first = challenges(1U << 30, 18, 0);
  EXPECT_EQ(List(first.begin(), first.begin() + 3), (List{620884976, 679528435, 1020701283}));
  const List last = challenges(1U << 30, 18, 125);
  EXPECT_EQ(List(last.end() - 2, last.end()), (List{891793243, 337345827}));
  EXPECT_EQ(challenges(1U << 31, 18, 125).back(), 1421680945U);
}

TEST(PorepChallenges, InteractiveOnesComeFromTheSeed) {
  const SealProofInfo& info = seal_proof_info("StackedDrg32GiBV1_1");
  EXPECT_EQ(porep_challenges(info, filled(0x11), filled(0x22), filled(0x33), 9),
            interactive_challenges(info.shape(), filled(0x11), filled(0x33), 9));
  EXPECT_THROW(porep_challenges(info, {}, {}, {}, 10), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
