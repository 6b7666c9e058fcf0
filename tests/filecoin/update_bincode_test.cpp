#include "filecoin/update_bincode.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/synthetic_update.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;

std::vector<std::uint8_t> golden_bytes() {
  return test::read_bytes(test::golden_update_vanilla_file());
}

std::string rejection(std::span<const std::uint8_t> bytes) {
  try {
    parse_update_partition(bytes, update_shape(2048), "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(UpdateBincode, TheReferencesFileComesBack) {
  EXPECT_EQ(write_update_partition(test::golden_update_proof(), update_shape(2048)), golden_bytes());
}

TEST(UpdateBincode, EverySizeRoundTrips) {
  for (const UpdateShape& shape : update_shapes()) {
    const SyntheticUpdate update(shape, 5, Executor(2));
    const auto bytes = write_update_partition(update.open(shape.partitions - 1), shape);
    EXPECT_EQ(write_update_partition(parse_update_partition(bytes, shape, "file"), shape), bytes) << shape.name;
  }
}

TEST(UpdateBincode, EveryTruncationIsRefused) {
  const auto bytes = golden_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(rejection(std::span(bytes).first(size)), "accepted") << size;
  }
  EXPECT_THAT(rejection(std::span(bytes).first(31)),
              HasSubstr("file: byte 0: comm_c cut off: 32 bytes expected, 31 left"));
}

TEST(UpdateBincode, WhatFollowsIsRefused) {
  auto bytes = golden_bytes();
  bytes.push_back(0);
  EXPECT_THAT(rejection(bytes), HasSubstr("end expected, 1 bytes follow"));
}

TEST(UpdateBincode, LengthsVariantsIndicesAndElements) {
  const auto with = [](std::size_t at, std::uint8_t value) {
    auto bytes = golden_bytes();
    bytes[at] = value;
    return rejection(bytes);
  };
  constexpr std::size_t kApex = 32;                        // length of the apex leaves
  constexpr std::size_t kChallenges = kApex + 8 + 8 * 32;  // length of the challenges
  constexpr std::size_t kFirst = kChallenges + 8;          // the first challenge's first proof
  constexpr std::size_t kPath = kFirst + 4 + 64;           // its path's length
  EXPECT_THAT(with(31, 0xff), HasSubstr("comm_c is no field element"));
  EXPECT_THAT(with(kApex + 7, 0x7f), HasSubstr("apex leaves: length"));
  EXPECT_THAT(with(kApex, 9), HasSubstr("apex leaves: 8 expected, got 9"));
  EXPECT_THAT(with(kApex + 8 + 31, 0x74), HasSubstr("an apex leaf is no field element"));
  EXPECT_THAT(with(kChallenges + 5, 1), HasSubstr("challenges: length"));
  EXPECT_THAT(with(kChallenges, 11), HasSubstr("challenges: 10 expected, got 11"));
  EXPECT_THAT(with(kFirst, 1), HasSubstr("challenge 0: proof_r_old: variant 0 expected for this tree, got 1"));
  EXPECT_THAT(with(kPath, 3), HasSubstr("a path of 2 levels of arity 8 expected, got 3"));
  EXPECT_THAT(with(kPath + 8, 6), HasSubstr("7 siblings expected, got 6"));
  EXPECT_THAT(with(kPath + 16 + 7 * 32, 8), HasSubstr("an index below 8 expected, got 8"));
}

// The shape is the reader's to say: a file of another size is refused.
TEST(UpdateBincode, AnotherSizesFileIsRefused) {
  EXPECT_THROW(parse_update_partition(golden_bytes(), update_shape(4096), "file"), InputError);
  const UpdateShape& shape = update_shape(std::uint64_t{8} << 20);
  const auto bytes = write_update_partition(SyntheticUpdate(shape, 1, Executor(1)).open(0), shape);
  EXPECT_NE(rejection(bytes), "accepted");
}

}  // namespace
}  // namespace proofline::filecoin
