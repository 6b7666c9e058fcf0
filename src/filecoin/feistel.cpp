#include "filecoin/feistel.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace proofline::filecoin {

FeistelPermutation::FeistelPermutation(std::uint64_t elements, const std::array<std::uint64_t, 4>& keys)
    : elements_(elements), network_{{keys[0], keys[1], keys[2]}, 1, 0} {
  if (elements == 0 || elements > (std::uint64_t{1} << 62)) {
    throw InputError("Feistel permutation: " + std::to_string(elements) + " elements; expected 1 to 2^62");
  }
  while ((std::uint64_t{1} << (2 * network_.half_bits)) < elements) ++network_.half_bits;
  network_.mask = (std::uint64_t{1} << network_.half_bits) - 1;
}

void FeistelPermutation::permute(std::span<std::uint64_t> indices) const {
  const FeistelLanesFunction run = feistel_lanes();
  std::vector<std::uint64_t> values(indices.begin(), indices.end());
  values.resize((values.size() + kFeistelLanes - 1) / kFeistelLanes * kFeistelLanes);
  // Where the images of values[0, size) belong: those that landed outside go on together.
  std::vector<std::size_t> places(indices.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::size_t size = indices.size();
  while (size != 0) {
    for (std::size_t i = 0; i < size; i += kFeistelLanes) run(network_, &values[i]);
    std::size_t outside = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t value = values[i];
      const std::size_t place = places[i];
      indices[place] = value;
      values[outside] = value;
      places[outside] = place;
      outside += value >= elements_ ? 1 : 0;
    }
    size = outside;
  }
}

}  // namespace proofline::filecoin
