#pragma once
/// Vectors of scalars most of which are bits.
#include <cstddef>
#include <cstdint>
#include <span>

#include "math/fr.hpp"

namespace proofline::math {

/// Scalars each stored as what it is: a bit or a field element. Borrowed.
struct CompactScalars {
  std::size_t size = 0;
  std::span<const std::uint64_t> bits;      ///< bit i % 64 of word i / 64: scalar i; 0 where it is a field element
  std::span<const std::uint64_t> is_field;  ///< in the same layout: 1 where scalar i is a field element
  std::span<const Fr> fields;               ///< the field elements in order
};

}  // namespace proofline::math
