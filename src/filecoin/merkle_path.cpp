#include "filecoin/merkle_path.hpp"

#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

Fr parent(TreeHash hash, std::span<const Fr> children) {
  if (hash == TreeHash::kPoseidon) {
    return math::poseidon(math::poseidon_constants(static_cast<unsigned>(children.size())), children);
  }
  if (children.size() != 2) {
    throw InputError("SHA-256 tree: " + std::to_string(children.size()) + " children; expected 2");
  }
  return node_to_fr(sha256_parent(children[0].to_bytes(), children[1].to_bytes()), "SHA-256 parent");
}

}  // namespace

Fr path_root(TreeHash hash, const Fr& leaf, std::span<const PathElement> path) {
  Fr node = leaf;
  std::vector<Fr> children;
  for (std::size_t level = 0; level < path.size(); ++level) {
    const PathElement& element = path[level];
    if (element.index > element.siblings.size()) {
      throw InputError("Merkle path, level " + std::to_string(level) + ": index " + std::to_string(element.index) +
                       " among " + std::to_string(element.siblings.size() + 1) + " children");
    }
    children = element.siblings;
    children.insert(children.begin() + static_cast<std::ptrdiff_t>(element.index), node);
    node = parent(hash, children);
  }
  return node;
}

std::uint64_t path_position(std::span<const PathElement> path) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t position = 0;
  for (std::size_t level = path.size(); level-- > 0;) {
    const std::uint64_t arity = path[level].siblings.size() + 1;
    if (position > (kMax - path[level].index) / arity) {
      throw InputError("Merkle path: its indices describe a position beyond 64 bits");
    }
    position = position * arity + path[level].index;
  }
  return position;
}

}  // namespace proofline::filecoin
