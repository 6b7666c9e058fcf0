#include "filecoin/synthetic_challenges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "filecoin/challenges.hpp"

namespace proofline::filecoin {
namespace {

using List = std::vector<std::uint64_t>;

Bytes32 number(std::uint8_t value) {
  Bytes32 out{};
  out[0] = value;
  return out;
}

Bytes32 ones() {
  Bytes32 out;
  out.fill(1);
  return out;
}

// rust-fil-proofs, challenges.rs, hard-coded answers of its test.
TEST(SyntheticChallenges, KnownAnswersOfTheReference) {
  const SyntheticSet set{1U << 10, 21, number(55), number(101)};
  EXPECT_EQ(synthetic_set(set), (List{178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                      801, 176, 692, 429, 691, 290, 204, 986, 210, 973}));
  EXPECT_EQ(synthetic_challenges(set, 10, ones(), 0), (List{176, 781, 801, 986, 290, 211, 692, 856, 986, 332}));
}

TEST(SyntheticChallenges, PartitionsCutOneSequence) {
  const SyntheticSet set{1U << 30, synthetic_set_size(1U << 30), number(3), number(4)};
  EXPECT_EQ(set.size, 1U << 18);
  const List all = synthetic_challenges(set, 180, ones(), 0);
  for (unsigned k = 0; k < 10; ++k) {
    const List part = synthetic_challenges(set, 18, ones(), k);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 18 * k));
  }
}

TEST(SyntheticChallenges, TheSetOfASmallSectorHasAsManyNodesAsTheSector) {
  const SealProofInfo& info = seal_proof_info("StackedDrg2KiBV1_1_Feat_SyntheticPoRep");
  const List set = synthetic_set({64, 64, number(3), number(4)});
  EXPECT_EQ(set.size(), 64U);
  for (const std::uint64_t challenge : porep_challenges(info, number(3), number(4), ones(), 0)) {
    EXPECT_NE(std::ranges::find(set, challenge), set.end());
  }
}

}  // namespace
}  // namespace proofline::filecoin
