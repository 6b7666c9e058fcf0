#include "base/units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace proofline {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Units, ReadsSizes) {
  EXPECT_EQ(parse_bytes("2048", "s"), 2048U);
  EXPECT_EQ(parse_bytes("2KiB", "s"), 2048U);
  EXPECT_EQ(parse_bytes("2 kib", "s"), 2048U);
  EXPECT_EQ(parse_bytes("1.5GiB", "s"), 1610612736U);
  EXPECT_EQ(parse_bytes("0.5KiB", "s"), 512U);
  EXPECT_EQ(parse_bytes("64GiB", "s"), std::uint64_t{1} << 36);
  EXPECT_EQ(parse_bytes("0", "s"), 0U);
  EXPECT_EQ(parse_bytes("18446744073709551615", "s"), ~std::uint64_t{0});
}

TEST(Units, RefusesOtherText) {
  for (const char* text : {"", "KiB", ".", "-1", "+1", "2KB", "2K", "2 KiB ", " 2", "1.5", "1..5KiB", "0x10", "1e3",
                           "18446744073709551616", "16777216TiB", "0.3KiB"}) {
    EXPECT_THAT([&] { parse_bytes(text, "--size"); }, ThrowsMessage<InputError>(HasSubstr("--size: "))) << text;
  }
}

TEST(Units, WritesSizes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(2048), "2 KiB");
  EXPECT_EQ(format_bytes(1610612736), "1.50 GiB");
  EXPECT_EQ(format_bytes(1000 * 1024), "0.98 MiB");
  EXPECT_EQ(format_bytes((std::uint64_t{100} << 20) + 1), "100 MiB");
  EXPECT_EQ(format_bytes(std::uint64_t{32} << 30), "32 GiB");
}

TEST(Units, WritesTimes) {
  EXPECT_EQ(format_seconds(0), "0 us");
  EXPECT_EQ(format_seconds(0.00042), "420 us");
  EXPECT_EQ(format_seconds(0.0042), "4.20 ms");
  EXPECT_EQ(format_seconds(0.42), "420 ms");
  EXPECT_EQ(format_seconds(3.14159), "3.14 s");
  EXPECT_EQ(format_seconds(52), "52.0 s");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(7380), "2 h 03 min");
}

TEST(Units, WritesCounts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(130278541), "130,278,541");
}

}  // namespace
}  // namespace proofline
