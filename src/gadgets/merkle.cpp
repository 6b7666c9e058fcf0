#include "gadgets/merkle.hpp"

#include <bit>

#include "gadgets/insertion.hpp"
#include "gadgets/poseidon.hpp"
#include "gadgets/sha256.hpp"

namespace proofline::gadgets {

Number sha256_of_two(Builder& cs, const Number& left, const Number& right) {
  std::vector<Boolean> preimage = reverse_bits_in_bytes(to_bits_le(cs, left));
  const std::vector<Boolean> right_bits = reverse_bits_in_bytes(to_bits_le(cs, right));
  preimage.insert(preimage.end(), right_bits.begin(), right_bits.end());
  const std::vector<Boolean> digest = reverse_bits_in_bytes(sha256(cs, preimage));
  return pack_bits(cs, std::span(digest).first(Fr::kCapacity));
}

void enforce_inclusion(Builder& cs, TreeHash hash, std::span<const PathLevel> path, const Number& root,
                       const Number& leaf) {
  std::vector<Boolean> path_bits;
  Number node = leaf;
  for (std::size_t level = 0; level < path.size(); ++level) {
    const Scope scope(cs, "level", static_cast<std::int64_t>(level));
    const std::size_t arity = path[level].siblings.size() + 1;
    std::vector<Boolean> index_bits;
    for (int bit = 0; bit < std::countr_zero(arity); ++bit)
      index_bits.push_back(alloc_boolean(cs, (path[level].index >> bit) & 1));
    path_bits.insert(path_bits.end(), index_bits.begin(), index_bits.end());

    std::vector<Number> siblings;
    siblings.reserve(arity - 1);
    for (const Fr& sibling : path[level].siblings) siblings.push_back(alloc_number(cs, sibling));
    const std::vector<Number> children = insert(cs, node, index_bits, siblings);
    node = hash == TreeHash::kSha256 ? sha256_of_two(cs, children[0], children[1])
                                     : poseidon(cs, math::poseidon_constants(static_cast<unsigned>(arity)), children);
  }
  pack_into_inputs(cs, path_bits);
  enforce_equal(cs, node, root);
}

}  // namespace proofline::gadgets
