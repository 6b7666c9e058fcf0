#pragma once
/// Bytes as hexadecimal text.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proofline {

/// Two lower-case digits a byte, no prefix.
std::string to_hex(std::span<const std::uint8_t> bytes);

/// The bytes of `text`, in either case and with or without "0x". Throws InputError starting with `what` (the name of
/// the flag or field) when a character is no digit or the number of digits is odd.
std::vector<std::uint8_t> from_hex(std::string_view text, std::string_view what);

/// The same for exactly out.size() bytes; any other length is an InputError too.
void from_hex(std::string_view text, std::string_view what, std::span<std::uint8_t> out);

template <std::size_t kSize>
std::array<std::uint8_t, kSize> array_from_hex(std::string_view text, std::string_view what) {
  std::array<std::uint8_t, kSize> out;
  from_hex(text, what, out);
  return out;
}

}  // namespace proofline
