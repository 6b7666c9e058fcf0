#include "filecoin/post_shape.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PostShape, WinningOpensOneSectorAt66Leaves) {
  for (const SectorShape& sector : sector_shapes()) {
    const PostShape shape = post_shape(PostKind::kWinning, sector);
    EXPECT_EQ(shape.circuit_sectors, 66U);
    EXPECT_EQ(shape.challenges_per_circuit_sector, 1U);
    EXPECT_EQ(shape.challenges_per_sector, 66U);
    EXPECT_EQ(shape.sectors_per_partition(), 1U);
    EXPECT_EQ(shape.num_inputs(), 133U);
  }
}

TEST(PostShape, WindowSectorsGoBySize) {
  for (const SectorShape& sector : sector_shapes()) {
    const PostShape shape = post_shape(PostKind::kWindow, sector);
    EXPECT_EQ(shape.circuit_sectors, sector.name == "32GiB" ? 2349U : sector.name == "64GiB" ? 2300U : 2U);
    EXPECT_EQ(shape.challenges_per_circuit_sector, 10U);
    EXPECT_EQ(shape.sectors_per_partition(), shape.circuit_sectors);
  }
}

TEST(PostShape, PartitionsHoldAllSectors) {
  const PostShape small = post_shape(PostKind::kWindow, sector_shape("2KiB"));
  EXPECT_EQ(post_partitions(small, 1), 1U);
  EXPECT_EQ(post_partitions(small, 2), 1U);
  EXPECT_EQ(post_partitions(small, 3), 2U);
  const PostShape large = post_shape(PostKind::kWindow, sector_shape("32GiB"));
  EXPECT_EQ(post_partitions(large, 2349), 1U);
  EXPECT_EQ(post_partitions(large, 2350), 2U);
  EXPECT_EQ(post_partitions(post_shape(PostKind::kWinning, sector_shape("32GiB")), 1), 1U);
}

TEST(PostShape, NoSectorOrTwoWinnersAreErrors) {
  const PostShape winning = post_shape(PostKind::kWinning, sector_shape("2KiB"));
  EXPECT_THAT([&] { post_partitions(winning, 0); }, ThrowsMessage<InputError>(HasSubstr("no sector")));
  EXPECT_THAT([&] { post_partitions(winning, 2); }, ThrowsMessage<InputError>(HasSubstr("exactly one sector")));
  EXPECT_THAT([&] { post_partitions(post_shape(PostKind::kWindow, sector_shape("2KiB")), 0); },
              ThrowsMessage<InputError>(HasSubstr("no sector")));
}

TEST(PostKind, NamesGoBothWays) {
  EXPECT_EQ(post_kind("winning-post"), PostKind::kWinning);
  EXPECT_EQ(post_name(post_kind("window-post")), "window-post");
  EXPECT_THAT([] { post_kind("windows"); }, ThrowsMessage<InputError>(HasSubstr("\"windows\"")));
}

}  // namespace
}  // namespace proofline::filecoin
