#include "engine/request_id.hpp"

#include <array>
#include <cstdint>
#include <random>

#include "base/hex.hpp"

namespace proofline::engine {

std::string random_request_id() {
  std::array<std::uint8_t, 16> bytes{};
  std::random_device source;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(source());
  return "proofline-" + to_hex(bytes);
}

}  // namespace proofline::engine
