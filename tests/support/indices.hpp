#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

namespace proofline::test {

/// 0, 1, ..., count - 1
inline std::vector<std::uint32_t> first_indices(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace proofline::test
