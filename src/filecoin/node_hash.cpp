#include "filecoin/node_hash.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kWidestColumn = 36;

std::size_t node_count(std::size_t bytes) {
  static_assert(sizeof(Node) == kNodeBytes && alignof(Node) == 1);
  if (bytes % kNodeBytes != 0) {
    throw InputError("nodes: " + std::to_string(bytes) + " bytes are not a multiple of 32");
  }
  return bytes / kNodeBytes;
}

}  // namespace

Node sha256_parent(const Node& left, const Node& right) {
  return truncate_to_field(Sha256().update(left).update(right).finish());
}

Node poseidon_parent(std::span<const Node> children) {
  if (children.size() > kWidestColumn) {
    throw InputError("Poseidon: " + std::to_string(children.size()) + " children; expected at most 36");
  }
  const math::PoseidonConstants& constants = math::poseidon_constants(static_cast<unsigned>(children.size()));
  std::array<math::Fr, kWidestColumn> preimage;
  for (std::size_t i = 0; i < children.size(); ++i) preimage[i] = node_to_fr(children[i], "Merkle tree node");
  return math::poseidon(constants, std::span(preimage).first(children.size())).to_bytes();
}

void poseidon_parents(std::span<const Node> children, std::span<Node> parents) {
  if (parents.empty() && children.empty()) return;
  const std::size_t arity = parents.empty() ? 0 : children.size() / parents.size();
  if (arity == 0 || arity > kWidestColumn || arity * parents.size() != children.size()) {
    throw InputError("Poseidon: " + std::to_string(children.size()) + " children for " +
                     std::to_string(parents.size()) + " parents; expected 1 to 36 for each");
  }
  const math::PoseidonConstants& constants = math::poseidon_constants(static_cast<unsigned>(arity));
  // As many at a time as fill vector lanes.
  constexpr std::size_t kGroup = 8;
  std::array<math::Fr, kWidestColumn * kGroup> preimages;
  std::array<math::Fr, kGroup> digests;
  for (std::size_t begin = 0; begin < parents.size(); begin += kGroup) {
    const std::size_t count = std::min(kGroup, parents.size() - begin);
    for (std::size_t i = 0; i < count * arity; ++i) {
      preimages[i] = node_to_fr(children[begin * arity + i], "Merkle tree node");
    }
    math::poseidon_many(constants, std::span(preimages).first(count * arity), std::span(digests).first(count));
    for (std::size_t i = 0; i < count; ++i) parents[begin + i] = digests[i].to_bytes();
  }
}

Node parent_node(TreeHash hash, std::span<const Node> children) {
  if (hash == TreeHash::kPoseidon) return poseidon_parent(children);
  if (children.size() != 2) {
    throw InputError("SHA-256 tree: " + std::to_string(children.size()) + " children; expected 2");
  }
  return sha256_parent(children[0], children[1]);
}

math::Fr node_to_fr(const Node& node, std::string_view what) {
  const std::optional<math::Fr> value = math::Fr::from_bytes(node);
  if (!value) throw InputError(std::string(what) + ": the 32 bytes are not below the field's modulus");
  return *value;
}

std::string hex(const math::Fr& element) {
  return to_hex(element.to_bytes());
}

std::span<const Node> as_nodes(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const Node*>(bytes.data()), node_count(bytes.size())};
}

std::span<Node> as_nodes(std::span<std::uint8_t> bytes) {
  return {reinterpret_cast<Node*>(bytes.data()), node_count(bytes.size())};
}

}  // namespace proofline::filecoin
