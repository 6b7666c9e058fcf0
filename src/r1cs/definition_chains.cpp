#include "r1cs/definition_chains.hpp"

#include <algorithm>
#include <numeric>

namespace proofline::r1cs {

std::vector<std::vector<Definition>> definition_chains(const Template& t) {
  const std::size_t count = t.definitions.size();
  // A forest: each definition points to another of its chain, a root to itself.
  std::vector<std::size_t> parent(count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root_of = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  constexpr auto kNone = ~std::size_t{0};
  std::vector<std::size_t> defines(t.num_field_slots(), kNone);
  for (std::size_t i = 0; i < count; ++i) defines[t.definitions[i].slot] = i;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Matrix matrix : kMatrices) {
      for (const Op& op : t.part(t.definitions[i].row, matrix)) {
        if (op.operand.is_field() && defines[op.operand.slot()] != kNone)
          parent[root_of(defines[op.operand.slot()])] = root_of(i);
      }
    }
  }
  std::vector<std::size_t> chain_of(count, kNone);  // of each root
  std::vector<std::vector<Definition>> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t& chain = chain_of[root_of(i)];
    if (chain == kNone) {
      chain = out.size();
      out.emplace_back();
    }
    out[chain].push_back(t.definitions[i]);
  }
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return out;
}

}  // namespace proofline::r1cs
