#include "filecoin/challenges.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

Bytes32 filled(std::uint8_t byte) {
  Bytes32 out;
  out.fill(byte);
  return out;
}

TEST(InteractiveChallenges, KnownAnswersOfTheReference) {
  for (const auto& entry : test::read_json(test::data_path("kat/challenges.json"))["interactive"]) {
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

}  // namespace
}  // namespace proofline::filecoin
