#include "base/nearest_name.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace proofline {
namespace {

/// Levenshtein distance, one row of its table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above + 1, row[j - 1] + 1});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names) {
  constexpr std::size_t kCompared = 64;
  std::string_view nearest;
  std::size_t best = SIZE_MAX;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(wanted.substr(0, kCompared), name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace proofline
