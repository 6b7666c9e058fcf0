#include "filecoin/post_challenges.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/golden_post.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PostChallenges, AreTheReferences) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    for (std::size_t i = 0; i < post.statement.sectors.size(); ++i) {
      EXPECT_EQ(post_challenges(post.statement.shape, post.statement.version, post.statement.randomness,
                                post.statement.sectors[i].id, i),
                post.json["sectors"][i]["challenges"].get<std::vector<std::uint64_t>>())
          << name << ", sector " << i;
    }
  }
}

void append(std::vector<std::uint8_t>& out, const Bytes32& bytes) {
  for (const std::uint8_t byte : bytes) out.push_back(byte);
}

void append(std::vector<std::uint8_t>& out, std::uint64_t number) {
  for (unsigned i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t first_word(const std::vector<std::uint8_t>& hashed) {
  const auto digest = sha256(hashed);
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{digest[i]} << (8 * i);
  return word;
}

/// Challenge number `index` of a sector by its definition.
std::uint64_t challenge(const Bytes32& randomness, std::uint64_t sector, std::uint64_t index, std::uint64_t leaves) {
  std::vector<std::uint8_t> bytes;
  append(bytes, randomness);
  append(bytes, sector);
  append(bytes, index);
  return first_word(bytes) % leaves;
}

TEST(PostChallenges, CountOverAllSectorsBeforeV1_2) {
  EXPECT_TRUE(
      rc::check("challenge index by api version", [](std::uint64_t sector, std::uint32_t index, std::uint8_t byte) {
        const PostShape shape = post_shape(PostKind::kWindow, sector_shape("32GiB"));
        Bytes32 randomness = test::filled(byte);
        randomness[31] &= 0x3f;
        for (const ApiVersion version : {ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2}) {
          const auto got = post_challenges(shape, version, randomness, sector, index);
          const std::uint64_t first = version == ApiVersion::kV1_2 ? 0 : std::uint64_t{10} * index;
          RC_ASSERT(got.size() == 10U);
          for (unsigned n = 0; n < 10; ++n) {
            RC_ASSERT(got[n] == challenge(randomness, sector, first + n, std::uint64_t{1} << 30));
          }
        }
      }));
}

TEST(PostChallenges, OfWinningPostDependOnNoVersion) {
  const test::GoldenPost post("winning-2k-1");
  const auto of = [&](ApiVersion version) {
    return post_challenges(post.statement.shape, version, post.statement.randomness, 1, 0);
  };
  EXPECT_EQ(of(ApiVersion::kV1_0), of(ApiVersion::kV1_1));
  EXPECT_EQ(of(ApiVersion::kV1_0), of(ApiVersion::kV1_2));
}

TEST(PostChallenges, RandomnessMustBeAFieldElement) {
  const PostShape shape = post_shape(PostKind::kWindow, sector_shape("2KiB"));
  for (const std::uint8_t top : {std::uint8_t{0xc0}, std::uint8_t{0x80}, std::uint8_t{0x74}}) {
    Bytes32 randomness{};
    randomness[31] = top;
    EXPECT_THAT([&] { post_challenges(shape, ApiVersion::kV1_2, randomness, 1, 0); },
                ThrowsMessage<InputError>(HasSubstr("randomness")));
    EXPECT_THAT([&] { winning_post_sector({}, randomness, 1); }, ThrowsMessage<InputError>(HasSubstr("randomness")));
    EXPECT_THAT([&] { winning_post_sector(randomness, {}, 1); }, ThrowsMessage<InputError>(HasSubstr("prover id")));
  }
}

TEST(WinningPostSector, IsAHashModuloTheNumberOfSectors) {
  Bytes32 prover = test::filled(1), randomness = test::filled(2);
  std::vector<std::uint8_t> bytes;
  append(bytes, prover);
  append(bytes, randomness);
  append(bytes, std::uint64_t{0});
  const std::uint64_t word = first_word(bytes);
  for (const std::uint64_t sectors :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1'000'003}, ~std::uint64_t{0}}) {
    EXPECT_EQ(winning_post_sector(prover, randomness, sectors), word % sectors);
  }
  EXPECT_THAT([&] { winning_post_sector(prover, randomness, 0); },
              ThrowsMessage<InputError>(HasSubstr("without sectors")));
}

}  // namespace
}  // namespace proofline::filecoin
