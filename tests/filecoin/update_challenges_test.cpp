#include "filecoin/update_challenges.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::ElementsAreArray;

struct Known {
  std::uint64_t sector_size;
  unsigned partition;
  std::vector<std::uint64_t> challenges;
};

constexpr std::uint64_t kKiB = 1 << 10;
constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

// rust-fil-proofs storage-proofs-update/src/challenges.rs; comm_r_new is the first element its test generator gives.
const std::vector<Known> kKnown{
    {1 * kKiB, 0, {21, 7, 3, 31, 0}},
    {2 * kKiB, 0, {53, 51, 56, 3, 0}},
    {4 * kKiB, 0, {117, 25, 62, 0, 72}},
    {8 * kKiB, 0, {245, 140, 15, 128, 28}},
    {16 * kKiB, 0, {245, 140, 15, 128, 28}},
    {16 * kKiB, 1, {286, 308, 493, 510, 508}},
    {32 * kKiB, 0, {245, 454, 3, 400, 193}},
    {32 * kKiB, 1, {542, 666, 955, 927, 911}},
    {8 * kMiB, 0, {36085, 32783, 44060, 10950, 3731}},
    {8 * kMiB, 1, {78878, 130797, 112892, 93994, 78379}},
    {16 * kMiB, 0, {101621, 16391, 109319, 25944, 41193}},
    {16 * kMiB, 1, {209950, 163702, 175679, 224741, 197410}},
    {512 * kMiB, 0, {1019125, 116736, 706220, 59698, 799498}},
    {512 * kMiB, 1, {2092548, 1213276, 1185483, 1164598, 1095197}},
    {512 * kMiB, 14, {15212432, 15665918, 15015423, 15012912, 15495223}},
    {512 * kMiB, 15, {16388544, 15794686, 16637142, 16319148, 16328348}},
    {32 * kGiB, 0, {1019125, 27985696, 15282860, 11586600, 44651330}},
    {32 * kGiB, 1, {109168525, 127316247, 80331041, 97065716, 72310052}},
    {32 * kGiB, 14, {990420169, 955146989, 968005601, 976863263, 944650706}},
    {32 * kGiB, 15, {1038629497, 1053983614, 1030421316, 1027373887, 1068685433}},
    {64 * kGiB, 0, {1019125, 13992848, 3820715, 18225541, 57316660}},
    {64 * kGiB, 1, {243386253, 197875851, 204632136, 171516766, 247789010}},
    {64 * kGiB, 14, {1997053129, 1920414070, 2003609080, 1900492803, 1963254685}},
    {64 * kGiB, 15, {2045262457, 2036941247, 2136653521, 2091356007, 2147167623}},
};

Fr comm_r_new() {
  return node_to_fr(test::bytes32("101cbe4b9c42604f04c703c396f788c6cb2d6d7d58f45430b12eb2edd640076c"), "comm_r_new");
}

TEST(UpdateChallenges, EqualTheReference) {
  for (const Known& known : kKnown) {
    const UpdateShape& shape = update_shape(known.sector_size);
    std::vector<std::uint64_t> challenges = update_challenges(shape, comm_r_new(), known.partition);
    EXPECT_EQ(challenges.size(), shape.challenges_per_partition);
    challenges.resize(known.challenges.size());
    EXPECT_THAT(challenges, ElementsAreArray(known.challenges)) << shape.name << ' ' << known.partition;
  }
}

TEST(UpdateChallenges, LieInTheirPartition) {
  for (const UpdateShape& shape : update_shapes()) {
    for (unsigned k = 0; k < shape.partitions; ++k) {
      for (const std::uint64_t node : update_challenges(shape, comm_r_new(), k)) {
        EXPECT_EQ(node / (shape.nodes() / shape.partitions), k) << shape.name;
      }
    }
    EXPECT_THROW(update_challenges(shape, comm_r_new(), shape.partitions), InputError);
  }
}

TEST(UpdateRandomness, RhosAreOneAHighPart) {
  const Fr phi = update_phi(Fr::from_u64(1), Fr::from_u64(2));
  const std::vector<Fr> rhos = update_rhos(phi, 7, Executor(2));
  ASSERT_EQ(rhos.size(), 128U);
  for (std::size_t high = 0; high < rhos.size(); ++high) EXPECT_EQ(rhos[high], update_rho(phi, high));
  EXPECT_FALSE(update_phi(Fr::from_u64(2), Fr::from_u64(1)) == phi);
}

}  // namespace
}  // namespace proofline::filecoin
