#pragma once
/// 64-bit integers of booleans.
#include <cstdint>
#include <vector>

#include "gadgets/boolean.hpp"

namespace proofline::gadgets {

/// 64 fresh booleans, least significant first.
inline std::vector<Boolean> alloc_u64(Builder& cs, std::uint64_t value) {
  std::vector<Boolean> bits;
  bits.reserve(64);
  for (unsigned i = 0; i < 64; ++i) bits.push_back(alloc_boolean(cs, (value >> i) & 1));
  return bits;
}

}  // namespace proofline::gadgets
