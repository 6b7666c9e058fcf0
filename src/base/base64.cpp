#include "base/base64.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"

namespace proofline {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint32_t digit_value(std::string_view text, std::size_t position, std::string_view what) {
  const std::uint8_t value = kDigitValues[static_cast<std::uint8_t>(text[position])];
  if (value == kNoDigit) {
    throw InputError(fmt::format("{}: not a base64 character at position {}", what, position));
  }
  return value;
}

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = std::uint32_t{bytes[i]} << 16;
    if (count > 1) group |= std::uint32_t{bytes[i + 1]} << 8;
    if (count > 2) group |= bytes[i + 2];
    text += kAlphabet[group >> 18];
    text += kAlphabet[group >> 12 & 63];
    text += count > 1 ? kAlphabet[group >> 6 & 63] : '=';
    text += count > 2 ? kAlphabet[group & 63] : '=';
  }
  return text;
}

std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view what) {
  if (text.size() % 4 != 0) {
    throw InputError(fmt::format("{}: {} base64 characters, expected a multiple of 4", what, text.size()));
  }
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      group = group << 6 | (j < digits ? digit_value(text, i + j, what) : 0);
    }
    bytes.push_back(static_cast<std::uint8_t>(group >> 16));
    if (digits > 2) bytes.push_back(static_cast<std::uint8_t>(group >> 8));
    if (digits > 3) bytes.push_back(static_cast<std::uint8_t>(group));
    const std::uint32_t unused = digits == 2 ? group & 0xffff : digits == 3 ? group & 0xff : 0;
    if (unused != 0) throw InputError(fmt::format("{}: base64 text has bits set after its last byte", what));
  }
  return bytes;
}

}  // namespace proofline
