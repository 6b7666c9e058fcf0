#include <gtest/gtest.h>

#include <string>

#include "base/blake2b.hpp"
#include "base/chacha20.hpp"
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

TEST(Blake2b, KeyedAsPythonsHashlib) {
  EXPECT_EQ(test::hex(blake2b256_keyed(bytes_of("key"), bytes_of("abc"))),
            "0330531d097355a3f72e80d55c1245ccf79f1704431c6e3887938320442c23c0");
}

// RFC 8439, appendix A.1, vectors 1 and 2, and from vector 1's middle.
TEST(ChaCha20, PublishedKeyStream) {
  const std::string expected =
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
      "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
      "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
      "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
  for (const std::size_t offset : {0U, 4U, 63U, 64U, 100U}) {
    std::vector<std::uint8_t> out(128 - offset, 9);
    chacha20_key_stream({}, {}, offset, out);
    EXPECT_EQ(test::hex(out), expected.substr(2 * offset));
  }
}

}  // namespace
}  // namespace proofline
