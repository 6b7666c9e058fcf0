#include "filecoin/synthetic_bytes.hpp"

#include <string>

#include "base/sha256.hpp"

namespace proofline::filecoin {

Bytes32 synthetic_bytes(std::uint64_t seed, std::string_view what, std::uint64_t a, std::uint64_t b) {
  std::string text = "Proofline synthetic sector: ";
  text.append(what).push_back('\0');
  for (const std::uint64_t number : {seed, a, b}) {
    for (unsigned byte = 0; byte < 8; ++byte) text.push_back(static_cast<char>(number >> (8 * byte)));
  }
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Node synthetic_node(std::uint64_t seed, std::string_view what, std::uint64_t a, std::uint64_t b) {
  return truncate_to_field(synthetic_bytes(seed, what, a, b));
}

std::uint64_t synthetic_number(std::uint64_t seed, std::string_view what) {
  const Bytes32 bytes = synthetic_bytes(seed, what);
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | bytes[i];
  return out;
}

}  // namespace proofline::filecoin
