#include "base/base64.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::size_t padding(std::string_view text) {
  std::size_t count = 0;
  while (count < 2 && count < text.size() && text[text.size() - 1 - count] == '=') ++count;
  return count;
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

std::size_t base64_decoded_size(std::string_view text, std::string_view what) {
  if (text.size() % 4 != 0) {
    throw InputError(fmt::format("{}: {} base64 characters, expected a multiple of 4", what, text.size()));
  }
  return text.size() / 4 * 3 - padding(text);
}

void from_base64(std::string_view text, std::size_t begin, std::span<std::uint8_t> out, std::string_view what) {
  const std::size_t last_group = text.size() - std::min<std::size_t>(text.size(), 4);
  const std::size_t end = begin + out.size();
  for (std::size_t first = begin / 3 * 3; first < end; first += 3) {
    const std::size_t at = first / 3 * 4;
    const std::size_t digits = at == last_group ? 4 - padding(text) : 4;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      group = group << 6 | (j < digits ? digit_value(text, at + j, what) : 0);
    }
    const std::uint32_t unused = digits == 2 ? group & 0xffff : digits == 3 ? group & 0xff : 0;
    if (unused != 0) throw InputError(fmt::format("{}: base64 text has bits set after its last byte", what));
    for (std::size_t i = std::max(first, begin); i < std::min(first + 3, end); ++i) {
      out[i - begin] = static_cast<std::uint8_t>(group >> (16 - 8 * (i - first)));
    }
  }
}

std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view what) {
  std::vector<std::uint8_t> bytes(base64_decoded_size(text, what));
  from_base64(text, 0, bytes, what);
  return bytes;
}

}  // namespace proofline
