#pragma once
/// Taking fixed-size pieces from the front of a byte string, with errors that say what was cut off.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace proofline {

/// Throws InputError "<name>: truncated in <what>: ..." when fewer than `size` bytes are left.
inline std::span<const std::uint8_t> take(std::span<const std::uint8_t>& bytes, std::size_t size, std::string_view name,
                                          std::string_view what) {
  if (bytes.size() < size) {
    throw InputError(std::string(name) + ": truncated in " + std::string(what) + ": " + std::to_string(size) +
                     " bytes expected, " + std::to_string(bytes.size()) + " left");
  }
  const auto piece = bytes.first(size);
  bytes = bytes.subspan(size);
  return piece;
}

/// A big-endian 32-bit count.
inline std::uint32_t take_count(std::span<const std::uint8_t>& bytes, std::string_view name, std::string_view what) {
  const auto piece = take(bytes, 4, name, what);
  return std::uint32_t{piece[0]} << 24 | std::uint32_t{piece[1]} << 16 | std::uint32_t{piece[2]} << 8 | piece[3];
}

inline void append_count(std::vector<std::uint8_t>& out, std::size_t count) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(count >> shift));
}

}  // namespace proofline
