#include "base/hex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace proofline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Hex, WritesLowerCase) {
  EXPECT_EQ(to_hex(std::vector<std::uint8_t>{0x00, 0x0f, 0xa0, 0xff}), "000fa0ff");
  EXPECT_EQ(to_hex({}), "");
}

TEST(Hex, ReadsEitherCaseAndPrefix) {
  EXPECT_THAT(from_hex("00fFAb", "x"), ElementsAre(0x00, 0xff, 0xab));
  EXPECT_THAT(from_hex("0x01", "x"), ElementsAre(0x01));
  EXPECT_THAT(from_hex("", "x"), ElementsAre());
}

TEST(Hex, ReadsBackEveryByte) {
  std::vector<std::uint8_t> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(from_hex(to_hex(bytes), "x"), bytes);
}

TEST(Hex, FixedLength) {
  EXPECT_EQ((array_from_hex<2>("beef", "x")), (std::array<std::uint8_t, 2>{0xbe, 0xef}));
  EXPECT_THAT([] { array_from_hex<32>("beef", "--seed"); },
              ThrowsMessage<InputError>("--seed: 4 hexadecimal digits, expected 64 (32 bytes)"));
}

TEST(Hex, SaysWhatIsWrong) {
  EXPECT_THAT([] { from_hex("abc", "--ticket"); },
              ThrowsMessage<InputError>("--ticket: 3 hexadecimal digits, expected an even number"));
  EXPECT_THAT([] { from_hex("0g", "t"); }, ThrowsMessage<InputError>(HasSubstr("position 1")));
  EXPECT_THAT([] { from_hex("g0", "t"); }, ThrowsMessage<InputError>(HasSubstr("position 0")));
  EXPECT_THAT([] { from_hex(" 1", "t"); }, ThrowsMessage<InputError>(HasSubstr("position 0")));
}

}  // namespace
}  // namespace proofline
