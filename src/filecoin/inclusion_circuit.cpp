#include "filecoin/inclusion_circuit.hpp"

#include <vector>

namespace proofline::filecoin {

using gadgets::Number;
using math::Fr;

void enforce_inclusion(r1cs::Builder& cs, const char* name, gadgets::TreeHash hash, const MerkleProof& proof,
                       const Number& root, const Number& leaf) {
  const r1cs::Scope scope(cs, name);
  std::vector<gadgets::PathLevel> levels;
  levels.reserve(proof.path.size());
  for (const PathElement& element : proof.path) levels.push_back({element.siblings, element.index});
  gadgets::enforce_inclusion(cs, hash, levels, root, leaf);
}

MerkleProof placeholder_path(const TreeShape& shape, std::uint64_t leaves) {
  MerkleProof proof;
  const auto add_level = [&](unsigned arity) { proof.path.push_back({std::vector<Fr>(arity - 1), 0}); };
  for (unsigned i = 0; i < path_shape(shape, leaves).base_levels; ++i) add_level(shape.base);
  if (shape.sub != 0) add_level(shape.sub);
  if (shape.top != 0) add_level(shape.top);
  return proof;
}

}  // namespace proofline::filecoin
