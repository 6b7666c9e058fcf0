#pragma once
/// The proofs of spacetime that the reference implementation made, as kept in tests/data/posts and proofs.
#include "base/hex.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/post_bincode.hpp"
#include "filecoin/post_proof.hpp"

namespace proofline::filecoin::test {

inline math::Fr element(const std::string& hex_text) {
  return node_to_fr(bytes32(hex_text), "test data");
}

/// "winning-2k-1" or "window-2k-1".
struct GoldenPost {
  explicit GoldenPost(const std::string& post_name)
      : name(post_name), json(read_json(data_path("posts/" + name + "/inputs.json"))) {
    const bool winning = name.starts_with("winning");
    statement.shape = post_shape(winning ? PostKind::kWinning : PostKind::kWindow, sector_shape("2KiB"));
    statement.version = winning ? ApiVersion::kV1_0 : ApiVersion::kV1_2;
    statement.randomness = bytes32(json["randomness"]);
    for (const auto& sector : json["sectors"]) {
      statement.sectors.push_back({sector["id"].get<std::uint64_t>(), element(sector["comm_r"])});
    }
  }

  std::filesystem::path vanilla_file(std::size_t i) const {
    return data_path("posts/" + name + "/vanilla-" + std::to_string(i) + ".bin");
  }
  std::vector<PostSectorProof> vanilla() const {
    std::vector<PostSectorProof> out;
    for (std::size_t i = 0; i < statement.sectors.size(); ++i) {
      out.push_back(read_post_proof(vanilla_file(i), statement.shape));
    }
    return out;
  }
  nlohmann::json stats() const { return read_json(data_path("proofs/" + name + "/circuit-p0.stats.json")); }

  std::string name;
  nlohmann::json json;
  PostStatement statement;
};

inline const std::vector<std::string> kGoldenPosts{"winning-2k-1", "window-2k-1"};

}  // namespace proofline::filecoin::test
