#include "filecoin/post_bincode.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "filecoin/golden_post.hpp"

namespace proofline::filecoin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const PostShape kWinning = post_shape(PostKind::kWinning, sector_shape("2KiB"));
const PostShape kWindow = post_shape(PostKind::kWindow, sector_shape("2KiB"));

std::vector<std::uint8_t> window_bytes() {
  return test::read_bytes(test::GoldenPost("window-2k-1").vanilla_file(0));
}

std::string rejection(const std::vector<std::uint8_t>& bytes, const PostShape& shape = kWindow) {
  try {
    parse_post_proof(bytes, shape, "vanilla.bin");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PostBincode, TheReferencesFilesComeBackByteForByte) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    for (std::size_t i = 0; i < post.statement.sectors.size(); ++i) {
      const PostSectorProof proof = read_post_proof(post.vanilla_file(i), post.statement.shape);
      EXPECT_EQ(proof.sector, post.statement.sectors[i]);
      EXPECT_EQ(read_post_sector(post.vanilla_file(i)), post.statement.sectors[i]);
      EXPECT_TRUE(write_post_proof(proof, post.statement.shape) == test::read_bytes(post.vanilla_file(i)));
    }
  }
}

TEST(PostBincode, EverySizeComesBack) {
  for (const SectorShape& sector : sector_shapes()) {
    for (const PostKind kind : {PostKind::kWinning, PostKind::kWindow}) {
      const PostShape shape = post_shape(kind, sector);
      const PathShape path = path_shape(sector.tree, sector.nodes());
      MerkleProof inclusion{math::Fr::from_u64(7), math::Fr::minus_one(), {}};
      const auto add = [&](unsigned arity) {
        inclusion.path.push_back({std::vector<math::Fr>(arity - 1, math::Fr::from_u64(arity)), arity - 1});
      };
      for (unsigned i = 0; i < path.base_levels; ++i) add(sector.tree.base);
      if (sector.tree.sub != 0) add(sector.tree.sub);
      if (sector.tree.top != 0) add(sector.tree.top);
      PostSectorProof proof{
          {~std::uint64_t{0}, math::Fr::from_u64(1)}, {}, math::Fr::from_u64(2), math::Fr::from_u64(3)};
      proof.inclusion_proofs.assign(shape.challenges_per_sector, inclusion);
      const auto bytes = write_post_proof(proof, shape);
      const PostSectorProof back = parse_post_proof(bytes, shape, "written");
      EXPECT_TRUE(write_post_proof(back, shape) == bytes) << sector.name;
      EXPECT_EQ(back.sector, proof.sector);
      EXPECT_EQ(back.comm_r_last, proof.comm_r_last);
    }
  }
}

TEST(PostBincode, EveryTruncationIsAnError) {
  const auto bytes = window_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_THAT(rejection({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
                HasSubstr("vanilla.bin: byte "))
        << size;
  }
}

TEST(PostBincode, BytesAfterTheProofAreAnError) {
  auto bytes = window_bytes();
  bytes.push_back(0);
  EXPECT_THAT(rejection(bytes), HasSubstr("1 bytes follow"));
}

TEST(PostBincode, LengthsThatWouldTakeGigabytesAreRefused) {
  // Where lengths are: sectors, inclusion proofs, the first path and its first siblings.
  for (const std::size_t at : {40U, 48U, 124U, 132U}) {
    for (const std::uint64_t length : {std::uint64_t{1} << 31, ~std::uint64_t{0}}) {
      auto bytes = window_bytes();
      for (unsigned i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::uint8_t>(length >> (8 * i));
      EXPECT_THAT(rejection(bytes), HasSubstr(std::to_string(length))) << at;
    }
  }
}

TEST(PostBincode, WrongCountsAreNamed) {
  auto bytes = window_bytes();
  bytes[40] = 2;
  EXPECT_THAT(rejection(bytes), HasSubstr("vanilla_proof.sectors: 1 sector expected, got 2"));
  bytes[40] = 0;
  EXPECT_THAT(rejection(bytes), HasSubstr("1 sector expected, got 0"));
  EXPECT_THAT(rejection(window_bytes(), kWinning), HasSubstr("66 challenges expected in a winning-post, got 10"));
  EXPECT_THAT(rejection(test::read_bytes(test::GoldenPost("winning-2k-1").vanilla_file(0))),
              HasSubstr("10 challenges expected in a window-post, got 66"));
}

TEST(PostBincode, APathOfAnotherTreeIsNamed) {
  auto bytes = window_bytes();
  bytes[56] = 1;  // the variant Sub
  EXPECT_THAT(rejection(bytes), AllOf(HasSubstr("inclusion_proofs[0]"), HasSubstr("variant 0 expected")));
  EXPECT_THAT(rejection(window_bytes(), post_shape(PostKind::kWindow, sector_shape("32GiB"))),
              HasSubstr("inclusion_proofs[0]"));
  EXPECT_THAT(rejection(window_bytes(), post_shape(PostKind::kWindow, sector_shape("8MiB"))),
              HasSubstr("a path of 6 levels"));
}

TEST(PostBincode, ElementsMustBeCanonical) {
  const auto good = window_bytes();
  // comm_r, the first root, comm_c, comm_r_last
  for (const auto& [at, name] : std::vector<std::pair<std::size_t, std::string>>{
           {8, "comm_r"}, {60, "root"}, {good.size() - 64, "comm_c"}, {good.size() - 32, "comm_r_last"}}) {
    auto bytes = good;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 32, std::uint8_t{0xff});
    EXPECT_THAT(rejection(bytes), AllOf(HasSubstr(name), HasSubstr("no field element")));
  }
}

TEST(PostBincode, AnyChangedByteIsRefusedOrComesBack) {
  const auto good = window_bytes();
  EXPECT_TRUE(rc::check("one changed byte", [&] {
    auto bytes = good;
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] ^= *rc::gen::inRange<std::uint8_t>(1, 255);
    try {
      RC_ASSERT(write_post_proof(parse_post_proof(bytes, kWindow, "x"), kWindow) == bytes);
    } catch (const InputError&) {
    }
  }));
}

TEST(PostBincode, AMissingFileIsNamed) {
  EXPECT_THAT([] { read_post_proof("/nonexistent/v.bin", kWindow); },
              ThrowsMessage<IoError>(HasSubstr("/nonexistent/v.bin")));
}

}  // namespace
}  // namespace proofline::filecoin
