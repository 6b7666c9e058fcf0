#include "base/base64.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace proofline {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::uint8_t> bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

/// RFC 4648, section 10.
constexpr std::pair<std::string_view, std::string_view> kVectors[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
};

TEST(Base64, KnownAnswers) {
  for (const auto& [plain, encoded] : kVectors) {
    EXPECT_EQ(to_base64(bytes(plain)), encoded);
    EXPECT_EQ(from_base64(encoded, "x"), bytes(plain));
  }
}

TEST(Base64, ReadsBackAllLengths) {
  std::vector<std::uint8_t> data;
  for (unsigned i = 0; i < 600; ++i) {
    EXPECT_EQ(from_base64(to_base64(data), "x"), data);
    data.push_back(static_cast<std::uint8_t>(i * 167 + 13));
  }
}

TEST(Base64, AnyStretchAlone) {
  std::vector<std::uint8_t> data;
  for (unsigned length = 0; length < 12; ++length) {
    const std::string text = to_base64(data);
    EXPECT_EQ(base64_decoded_size(text, "x"), length);
    for (std::size_t begin = 0; begin <= length; ++begin) {
      for (std::size_t end = begin; end <= length; ++end) {
        std::vector<std::uint8_t> out(end - begin);
        from_base64(text, begin, out, "x");
        EXPECT_TRUE(std::equal(out.begin(), out.end(), data.begin() + static_cast<std::ptrdiff_t>(begin)))
            << length << ": " << begin << " to " << end;
      }
    }
    data.push_back(static_cast<std::uint8_t>(length * 167 + 13));
  }
}

TEST(Base64, OfAStretchOnlyItsCharactersAreLookedAt) {
  const std::string text = "Zm9vYm!yZh==";
  std::vector<std::uint8_t> out(3);
  EXPECT_NO_THROW(from_base64(text, 0, out, "x"));
  EXPECT_THAT([&] { from_base64(text, 1, out, "x"); },
              ThrowsMessage<InputError>(HasSubstr("x: not a base64 character at position 6")));
  EXPECT_THAT([&] { from_base64(text, 6, std::span(out).first(1), "x"); },
              ThrowsMessage<InputError>(HasSubstr("x: base64 text has bits set")));
}

TEST(Base64, OneTextForEachByteString) {
  const auto fails = [](std::string_view text, std::string_view why) {
    EXPECT_THAT([&] { from_base64(text, "Phase1Out"); },
                ThrowsMessage<InputError>(testing::AllOf(HasSubstr("Phase1Out: "), HasSubstr(std::string(why)))))
        << text;
  };
  fails("Zg=", "multiple of 4");
  fails("Zg", "multiple of 4");
  fails("Zh==", "bits set after its last byte");
  fails("Zm9=", "bits set after its last byte");
  fails("Z===", "position 1");
  fails("====", "position 0");
  fails("Zg==Zg==", "position 2");
  fails("Zm9v\nZm9", "position 4");
  fails("Zm-_", "position 2");
  fails("Zm9\xff", "position 3");
}

}  // namespace
}  // namespace proofline
