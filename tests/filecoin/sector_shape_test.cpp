#include "filecoin/sector_shape.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

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

}  // namespace
}  // namespace proofline::filecoin
