#include "filecoin/parameter_name.hpp"

#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "filecoin/post_shape.hpp"
#include "filecoin/update_shape.hpp"

namespace proofline::filecoin {
namespace {

std::string tree_name(const TreeShape& tree) {
  return "merkletree-poseidon_hasher-" + std::to_string(tree.base) + "-" + std::to_string(tree.sub) + "-" +
         std::to_string(tree.top);
}

std::string porep_identifier(const SectorShape& sector) {
  return "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: " +
         std::to_string(kExpanderParents) +
         " base_graph: drgraph::BucketGraph{size: " + std::to_string(sector.nodes()) +
         "; degree: " + std::to_string(kDrgParents) +
         "; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " + std::to_string(sector.layers) +
         ", max_count: " + std::to_string(sector.challenges_per_partition) + " }, tree: " + tree_name(sector.tree) +
         " }";
}

std::string post_identifier(PostKind kind, const SectorShape& sector) {
  const PostShape shape = post_shape(kind, sector);
  return "FallbackPoSt::PublicParams{sector_size: " + std::to_string(sector.sector_size) +
         ", challenge_count: " + std::to_string(shape.challenges_per_circuit_sector) +
         ", sector_count: " + std::to_string(shape.circuit_sectors) + "}";
}

std::string update_identifier(const SectorShape& sector) {
  return "empty_sector_update::PublicParams{ sector_nodes: " +
         std::to_string(update_shape(sector.sector_size).nodes()) + " }";
}

std::string stem_prefix(CircuitKind kind, const SectorShape& sector) {
  const std::string tree = tree_name(sector.tree);
  switch (kind) {
    case CircuitKind::kPorep:
      return "stacked-proof-of-replication-" + tree + "-sha256_hasher";
    case CircuitKind::kUpdate:
      return "empty-sector-update-" + tree;
    default:
      return "proof-of-spacetime-fallback-" + tree;
  }
}

}  // namespace

std::string parameter_identifier(CircuitKind kind, const SectorShape& sector) {
  switch (kind) {
    case CircuitKind::kPorep:
      return porep_identifier(sector);
    case CircuitKind::kUpdate:
      return update_identifier(sector);
    case CircuitKind::kWinningPost:
      return post_identifier(PostKind::kWinning, sector);
    default:
      return post_identifier(PostKind::kWindow, sector);
  }
}

std::string parameter_stem(CircuitKind kind, const SectorShape& sector) {
  const std::string identifier = parameter_identifier(kind, sector);
  const Sha256Digest digest = sha256({reinterpret_cast<const std::uint8_t*>(identifier.data()), identifier.size()});
  return "v28-" + stem_prefix(kind, sector) + "-" + to_hex(digest);
}

}  // namespace proofline::filecoin
