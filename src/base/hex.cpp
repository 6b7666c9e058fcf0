#include "base/hex.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace proofline {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view without_prefix(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return text;
}

void decode(std::string_view digits, std::string_view what, std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = digit_value(digits[2 * i]);
    const int low = digit_value(digits[2 * i + 1]);
    if (high < 0 || low < 0) {
      throw InputError(fmt::format("{}: not a hexadecimal digit at position {}", what, 2 * i + (high < 0 ? 0 : 1)));
    }
    out[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
}

}  // namespace

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::vector<std::uint8_t> from_hex(std::string_view text, std::string_view what) {
  const std::string_view digits = without_prefix(text);
  if (digits.size() % 2 != 0) {
    throw InputError(fmt::format("{}: {} hexadecimal digits, expected an even number", what, digits.size()));
  }
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  decode(digits, what, bytes);
  return bytes;
}

void from_hex(std::string_view text, std::string_view what, std::span<std::uint8_t> out) {
  const std::string_view digits = without_prefix(text);
  if (digits.size() != 2 * out.size()) {
    throw InputError(fmt::format("{}: {} hexadecimal digits, expected {} ({} bytes)", what, digits.size(),
                                 2 * out.size(), out.size()));
  }
  decode(digits, what, out);
}

}  // namespace proofline
