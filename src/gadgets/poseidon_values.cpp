#include "gadgets/poseidon_values.hpp"

#include <cassert>
#include <vector>

namespace proofline::gadgets {
namespace {

/// x, x^2, x^4 and x^5 + key are allocated; x only where no variable holds it yet.
Fr s_box(Builder& cs, const Fr& x, bool allocated, const Fr& key) {
  if (!allocated) cs.alloc_derived(x);
  const Fr x2 = x.square();
  const Fr x4 = x2.square();
  const Fr out = x4 * x + key;
  cs.alloc_derived(x2);
  cs.alloc_derived(x4);
  cs.alloc_derived(out);
  return out;
}

void multiply(std::vector<Fr>& state, const math::Matrix& matrix, std::vector<Fr>& scratch) {
  scratch.assign(state.size(), Fr());
  for (std::size_t i = 0; i < state.size(); ++i)
    for (std::size_t j = 0; j < state.size(); ++j) scratch[j] += state[i] * matrix.at(i, j);
  state.swap(scratch);
}

void multiply(std::vector<Fr>& state, const math::SparseMatrix& matrix) {
  const Fr head = state[0];
  Fr sum = head * matrix.first_column[0];
  for (std::size_t j = 1; j < state.size(); ++j) {
    sum += state[j] * matrix.first_column[j];
    state[j] += head * matrix.first_row_rest[j - 1];
  }
  state[0] = sum;
}

/// Variables of a hash but its digest: three a first S-box (but the tag's), four any other.
std::size_t num_derived(const math::PoseidonConstants& constants) {
  return 3 * (constants.width - 1) + 4 * (constants.full_rounds - 1) * constants.width + 4 * constants.partial_rounds;
}

/// The values one by one, as the rows define them.
Number all_values(Builder& cs, const math::PoseidonConstants& constants, std::span<const Number> preimage) {
  assert(preimage.size() == constants.arity);
  const std::size_t width = constants.width;
  const unsigned half = constants.full_rounds / 2;
  std::vector<Fr> state(width), scratch;
  const Fr* key = constants.compressed_round_constants.data();

  // The first S-boxes have a key before them too; the tag's is folded into constants.
  const Fr* after = key + width;
  const Fr tag = constants.domain_tag + key[0];
  state[0] = tag.square().square() * tag + after[0];
  for (std::size_t i = 1; i < width; ++i)
    state[i] = s_box(cs, preimage[i - 1].value + key[i], /*allocated=*/true, after[i]);
  key = after + width;
  multiply(state, constants.mds, scratch);
  for (unsigned round = 1; round < half; ++round) {
    for (Fr& element : state) element = s_box(cs, element, false, *key++);
    multiply(state, round + 1 == half ? constants.pre_sparse : constants.mds, scratch);
  }
  for (const math::SparseMatrix& matrix : constants.sparse) {
    state[0] = s_box(cs, state[0], false, *key++);
    multiply(state, matrix);
  }
  for (unsigned round = half; round < constants.full_rounds; ++round) {
    const bool last = round + 1 == constants.full_rounds;
    for (Fr& element : state) element = s_box(cs, element, false, last ? Fr() : *key++);
    if (!last) multiply(state, constants.mds, scratch);
  }
  // Of the last product only element 1 is wanted.
  Fr digest;
  for (std::size_t i = 0; i < width; ++i) digest += state[i] * constants.mds.at(i, 1);
  return alloc_number(cs, digest);
}

}  // namespace

Number poseidon_values(Builder& cs, const math::PoseidonConstants& constants, std::span<const Number> preimage) {
  if (cs.wants_derived()) return all_values(cs, constants, preimage);
  std::vector<Fr> values;
  values.reserve(preimage.size());
  for (const Number& number : preimage) values.push_back(number.value);
  cs.alloc_derived_run(num_derived(constants));
  return alloc_number(cs, math::poseidon(constants, values));
}

}  // namespace proofline::gadgets
