#include "filecoin/synthetic_post.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "filecoin/post_challenges.hpp"
#include "filecoin/sparse_tree.hpp"
#include "filecoin/synthetic_bytes.hpp"

namespace proofline::filecoin {
namespace {

std::uint64_t sector_id(std::uint64_t seed, std::uint64_t index) {
  return synthetic_number(seed, "sector number") + index;
}

PostSectorProof synthetic_sector(const PostShape& shape, ApiVersion version, std::uint64_t seed, std::uint64_t index,
                                 const Executor& exec) {
  const std::uint64_t id = sector_id(seed, index);
  const std::vector<std::uint64_t> challenges = post_challenges(shape, version, synthetic_randomness(seed), id, index);
  std::vector<std::uint64_t> opened = challenges;
  std::ranges::sort(opened);
  opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
  std::vector<SparseLeaf> leaves;
  for (const std::uint64_t leaf : opened) leaves.push_back({leaf, synthetic_node(seed, "replica node", id, leaf)});
  const SparseTree tree(TreeHash::kPoseidon, shape.sector->tree, shape.sector->nodes(),
                        synthetic_node(seed, "other replica nodes", id), leaves, exec, no_progress(), "tree_r_last");

  const Node comm_c = synthetic_node(seed, "comm_c", id);
  PostSectorProof out;
  out.sector = {id, node_to_fr(poseidon_parent(std::array{comm_c, tree.root()}), "comm_r")};
  for (const std::uint64_t leaf : challenges) out.inclusion_proofs.push_back(tree.open(leaf));
  out.comm_c = node_to_fr(comm_c, "comm_c");
  out.comm_r_last = node_to_fr(tree.root(), "comm_r_last");
  return out;
}

}  // namespace

Bytes32 synthetic_randomness(std::uint64_t seed) {
  return synthetic_node(seed, "post randomness");
}

PostStatement synthesize_post(const PostShape& shape, ApiVersion version, std::uint64_t seed, std::size_t sectors,
                              const std::function<void(const PostSectorProof&)>& sink, const Executor& exec,
                              Progress& progress) {
  constexpr std::size_t kBatch = 64;
  post_partitions(shape, sectors);
  PostStatement out{shape, version, synthetic_randomness(seed), {}};
  out.sectors.reserve(sectors);
  for (std::size_t begin = 0; begin < sectors; begin += kBatch) {
    progress.report("synthesize", begin, sectors);
    std::vector<PostSectorProof> proofs(std::min(kBatch, sectors - begin));
    exec.parallel_for(proofs.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) proofs[i] = synthetic_sector(shape, version, seed, begin + i, exec);
    });
    for (const PostSectorProof& proof : proofs) {
      out.sectors.push_back(proof.sector);
      sink(proof);
    }
  }
  return out;
}

}  // namespace proofline::filecoin
