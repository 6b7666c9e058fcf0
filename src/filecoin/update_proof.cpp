#include "filecoin/update_proof.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

void expect(std::string_view name, const std::string& what, std::uint64_t got, std::uint64_t expected) {
  if (got == expected) return;
  throw InputError(std::string(name) + ": " + what + ": " + std::to_string(got) + "; expected " +
                   std::to_string(expected));
}

void check_path(const TreeShape& tree, std::uint64_t leaves, const MerkleProof& proof, std::string_view name,
                const std::string& what) {
  std::vector<unsigned> arities(path_shape(tree, leaves).base_levels, tree.base);
  if (tree.sub != 0) arities.push_back(tree.sub);
  if (tree.top != 0) arities.push_back(tree.top);
  expect(name, what + ": levels", proof.path.size(), arities.size());
  for (std::size_t level = 0; level < arities.size(); ++level) {
    const PathElement& element = proof.path[level];
    expect(name, what + ": siblings on level " + std::to_string(level), element.siblings.size(), arities[level] - 1);
    if (element.index >= arities[level]) {
      throw InputError(std::string(name) + ": " + what + ": index " + std::to_string(element.index) + " on level " +
                       std::to_string(level) + "; expected less than " + std::to_string(arities[level]));
    }
  }
}

}  // namespace

void check_update_counts(const UpdateShape& shape, const UpdatePartitionProof& proof, std::string_view name) {
  expect(name, "apex leaves", proof.apex_leaves.size(), shape.apex_leaves);
  expect(name, "challenges", proof.challenges.size(), shape.challenges_per_partition);
  for (std::size_t i = 0; i < proof.challenges.size(); ++i) {
    const std::string where = "challenge " + std::to_string(i) + ": ";
    check_path(shape.tree, shape.nodes(), proof.challenges[i].r_old, name, where + "proof_r_old");
    check_path({2, 0, 0}, shape.nodes(), proof.challenges[i].d_new, name, where + "proof_d_new");
    check_path(shape.tree, shape.nodes(), proof.challenges[i].r_new, name, where + "proof_r_new");
  }
}

}  // namespace proofline::filecoin
