#include "base/bincode.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace proofline {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Bincode, IntegersAreLittleEndianAtFixedWidth) {
  std::vector<std::uint8_t> bytes;
  append_u32(bytes, 0x01020304);
  append_u64(bytes, 0x1122334455667788);
  EXPECT_THAT(bytes, ElementsAre(4, 3, 2, 1, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11));
  BincodeReader in(bytes, "file");
  EXPECT_EQ(in.u32("tag"), 0x01020304U);
  EXPECT_EQ(in.u64("id"), 0x1122334455667788U);
  in.finish();
}

TEST(Bincode, TruncationNamesByteAndValue) {
  const std::vector<std::uint8_t> bytes(11);
  BincodeReader in(bytes, "proof.bin");
  in.u32("tag");
  EXPECT_THAT([&] { in.u64("sector id"); },
              ThrowsMessage<InputError>("proof.bin: byte 4: sector id cut off: 8 bytes expected, 7 left"));
}

TEST(Bincode, AnythingAfterTheEndIsRefused) {
  const std::vector<std::uint8_t> bytes(9);
  BincodeReader in(bytes, "proof.bin");
  in.u64("id");
  EXPECT_THAT([&] { in.finish(); }, ThrowsMessage<InputError>("proof.bin: byte 8: end expected, 1 bytes follow"));
}

TEST(Bincode, LengthsThatCannotBeFilledAreRefusedBeforeAnyMemoryIsTaken) {
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    std::vector<std::uint8_t> bytes;
    append_u64(bytes, count);
    bytes.resize(bytes.size() + 64);
    BincodeReader in(bytes, "proof.bin");
    EXPECT_THAT([&] { in.length(32, "siblings"); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("siblings: length " + std::to_string(count)),
                                                HasSubstr("at most 2 can follow in the 64 bytes left"))));
  }
  std::vector<std::uint8_t> bytes;
  append_u64(bytes, 2);
  bytes.resize(bytes.size() + 64);
  EXPECT_EQ(BincodeReader(bytes, "proof.bin").length(32, "siblings"), 2U);
}

}  // namespace
}  // namespace proofline
