#pragma once
/// Which points a multi-scalar multiplication needs, block by block.
#include <cstdint>
#include <span>
#include <vector>

#include "math/compact_scalars.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// The scalars of a block that are not zero: first 1, then -1, then all others.
struct Selection {
  std::vector<std::uint32_t> indices;  ///< among all scalars
  std::size_t first_negative_one = 0;
  std::size_t num_ones = 0;  ///< of both signs
  std::vector<Fr> others;    ///< the scalars of indices[num_ones] and on
};

/// Selects among scalars [begin, end).
void select_elements(std::span<const Fr> scalars, std::size_t begin, std::size_t end, Selection& out);

/// Cuts compact scalars into blocks of about equal work, whatever they are made of: bits select points straight from
/// the bitmap. Field elements all count as others, but zero.
class CompactSelector {
 public:
  /// A block ends soon after it has this many ones or others. The scalars are borrowed.
  CompactSelector(const CompactScalars& scalars, std::size_t max_ones, std::size_t max_others)
      : scalars_(scalars), max_ones_(max_ones), max_others_(max_others) {}

  /// False when there is nothing left.
  bool next(Selection& out);

 private:
  std::uint32_t first_place(std::uint64_t bits) const;

  const CompactScalars& scalars_;
  std::size_t max_ones_, max_others_;
  std::size_t word_ = 0, field_ = 0;
  std::vector<std::uint32_t> others_;
};

}  // namespace proofline::math
