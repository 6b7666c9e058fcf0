#include "filecoin/update_shape.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::uint64_t kKiB = 1 << 10;
constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

// FIP-0019 and the reference's constants.
TEST(UpdateShape, NumbersBySize) {
  for (const UpdateShape& shape : update_shapes()) {
    const std::uint64_t size = shape.sector_size;
    EXPECT_EQ(shape.partitions, size <= 8 * kKiB ? 1U : size <= 32 * kKiB ? 2U : size <= 16 * kMiB ? 4U : 16U);
    EXPECT_EQ(shape.challenges_per_partition, size <= 16 * kMiB ? 10U : 86U);
    EXPECT_EQ(shape.apex_leaves, size <= 8 * kKiB ? 8U : 128U);
    EXPECT_EQ(shape.h(), size <= 32 * kKiB ? 1U : 10U);
    EXPECT_EQ(h_select(shape, shape.h()), size <= 32 * kKiB ? 1U : 8U);
    EXPECT_EQ(&update_shape(size), &shape);
    EXPECT_NO_THROW(path_shape(shape.tree, shape.nodes()));
  }
  EXPECT_EQ(update_shapes().size(), 11U);
  EXPECT_EQ(update_shape(32 * kGiB).levels_to_apex(), 30U - 4 - 7);
}

TEST(UpdateShape, TreesAreTheSectors) {
  for (const SectorShape& sector : sector_shapes()) {
    if (sector.sector_size == kGiB) continue;
    EXPECT_EQ(update_shape(sector.sector_size).tree, sector.tree) << sector.name;
    EXPECT_EQ(update_shape(sector.sector_size).name, sector.name);
  }
}

TEST(UpdateShape, OtherSizesAndH) {
  EXPECT_THAT([] { update_shape(kGiB); }, ThrowsMessage<InputError>(HasSubstr("no circuit for sectors of 1073741824")));
  EXPECT_THAT([] { h_select(update_shape(8 * kMiB), 13); },
              ThrowsMessage<InputError>(HasSubstr("h 13 is none of a 8MiB sector; expected 7 to 12")));
  EXPECT_EQ(h_select(update_shape(8 * kMiB), 12), 32U);
}

}  // namespace
}  // namespace proofline::filecoin
