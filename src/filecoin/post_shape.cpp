#include "filecoin/post_shape.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr unsigned kWinningChallenges = 66;
constexpr unsigned kWindowChallenges = 10;

/// As many as fill a circuit of 2^27 rows at the sizes of mainnet; miner actors schedule partitions by these numbers.
unsigned window_sectors(std::uint64_t sector_size) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  return sector_size == 32 * kGiB ? 2349 : sector_size == 64 * kGiB ? 2300 : 2;
}

}  // namespace

PostShape post_shape(PostKind kind, const SectorShape& sector) {
  if (kind == PostKind::kWinning) return {kind, &sector, kWinningChallenges, 1, kWinningChallenges};
  return {kind, &sector, window_sectors(sector.sector_size), kWindowChallenges, kWindowChallenges};
}

std::string_view post_name(PostKind kind) {
  return kind == PostKind::kWinning ? "winning-post" : "window-post";
}

PostKind post_kind(std::string_view name) {
  for (const PostKind kind : {PostKind::kWinning, PostKind::kWindow}) {
    if (post_name(kind) == name) return kind;
  }
  throw InputError("proof of spacetime: \"" + std::string(name) + "\" is none; expected winning-post or window-post");
}

std::size_t post_partitions(const PostShape& shape, std::size_t sectors) {
  if (sectors == 0) throw InputError(std::string(post_name(shape.kind)) + ": no sector to prove");
  if (shape.kind == PostKind::kWinning) {
    if (sectors != 1) {
      throw InputError("winning-post: exactly one sector is proved, got " + std::to_string(sectors));
    }
    return 1;
  }
  return (sectors - 1) / shape.circuit_sectors + 1;
}

}  // namespace proofline::filecoin
