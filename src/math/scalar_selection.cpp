#include "math/scalar_selection.hpp"

#include <bit>

namespace proofline::math {

void select_elements(std::span<const Fr> scalars, std::size_t begin, std::size_t end, Selection& out) {
  out.indices.clear();
  out.others.clear();
  std::vector<std::uint32_t> negative_ones, others;
  for (std::size_t i = begin; i < end; ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    if (scalars[i].is_zero()) continue;
    if (scalars[i].is_one()) {
      out.indices.push_back(index);
    } else if (scalars[i] == Fr::minus_one()) {
      negative_ones.push_back(index);
    } else {
      others.push_back(index);
      out.others.push_back(scalars[i]);
    }
  }
  out.first_negative_one = out.indices.size();
  out.indices.insert(out.indices.end(), negative_ones.begin(), negative_ones.end());
  out.num_ones = out.indices.size();
  out.indices.insert(out.indices.end(), others.begin(), others.end());
}

bool CompactSelector::next(Selection& out) {
  out.indices.clear();
  out.others.clear();
  others_.clear();
  const std::size_t words = (scalars_.size + 63) / 64;
  for (; word_ < words && out.indices.size() < max_ones_ && others_.size() < max_others_; ++word_) {
    const std::uint64_t fields = scalars_.is_field[word_];
    for (std::uint64_t ones = scalars_.bits[word_] & ~fields; ones != 0; ones &= ones - 1)
      out.indices.push_back(first_place(ones));
    for (std::uint64_t left = fields; left != 0; left &= left - 1) {
      const Fr& scalar = scalars_.fields[field_++];
      if (scalar.is_zero()) continue;
      others_.push_back(first_place(left));
      out.others.push_back(scalar);
    }
  }
  out.first_negative_one = out.num_ones = out.indices.size();
  out.indices.insert(out.indices.end(), others_.begin(), others_.end());
  return !out.indices.empty();
}

std::uint32_t CompactSelector::first_place(std::uint64_t bits) const {
  return static_cast<std::uint32_t>(64 * word_) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace proofline::math
