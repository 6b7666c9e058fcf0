#include <gtest/gtest.h>

#include <string>

#include "base/blake2b.hpp"
#include "base/sha256.hpp"
#include "support/test_data.hpp"

namespace proofline {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// FIPS 180-4 examples.
TEST(Sha256, PublishedDigests) {
  EXPECT_EQ(test::hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(test::hex(sha256(bytes_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(test::hex(sha256(bytes_of(std::string(1000000, 'a')))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PartsAndCopiesOfAState) {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= text.size(); cut += 37) {
    Sha256 prefix;
    prefix.update(bytes_of(text).first(cut));
    Sha256 copy(prefix);
    EXPECT_EQ(copy.update(bytes_of(text).subspan(cut)).finish(), sha256(bytes_of(text)));
    EXPECT_EQ(prefix.finish(), sha256(bytes_of(text).first(cut)));
  }
}

// RFC 7693, appendix A.
TEST(Blake2b, PublishedDigest) {
  EXPECT_EQ(test::hex(blake2b512(bytes_of("abc"))),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

}  // namespace
}  // namespace proofline
