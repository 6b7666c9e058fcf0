#include "gadgets/inclusion_at.hpp"

#include <bit>
#include <cassert>

#include "gadgets/insertion.hpp"
#include "gadgets/poseidon.hpp"

namespace proofline::gadgets {

void enforce_inclusion_at(Builder& cs, TreeHash hash, std::span<const Boolean> position,
                          std::span<const std::vector<Number>> path, const Number& root, const Number& leaf) {
  Number node = leaf;
  for (std::size_t level = 0; level < path.size(); ++level) {
    const Scope scope(cs, "level", static_cast<std::int64_t>(level));
    const std::size_t arity = path[level].size() + 1;
    const auto bits = static_cast<std::size_t>(std::countr_zero(arity));
    const std::vector<Number> children = insert(cs, node, position.first(bits), path[level]);
    position = position.subspan(bits);
    node = hash == TreeHash::kSha256 ? sha256_of_two(cs, children[0], children[1])
                                     : poseidon(cs, math::poseidon_constants(static_cast<unsigned>(arity)), children);
  }
  assert(position.empty());
  enforce_equal(cs, node, root);
}

Number select(Builder& cs, std::span<const Number> from, std::span<const Boolean> index_bits) {
  assert(from.size() == std::size_t{1} << index_bits.size());
  const Scope scope(cs, "select");
  std::vector<Number> left(from.begin(), from.end());
  for (std::size_t bit = index_bits.size(); bit-- > 1;) {
    const std::size_t half = left.size() / 2;
    for (std::size_t i = 0; i < half; ++i) left[i] = pick(cs, index_bits[bit], left[half + i], left[i]);
    left.resize(half);
  }
  return index_bits.empty() ? left.front() : pick_stored(cs, index_bits[0], left[1], left[0]);
}

}  // namespace proofline::gadgets
