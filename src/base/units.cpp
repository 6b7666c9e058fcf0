#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"

namespace proofline {
namespace {

constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};

bool same_unit(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::uint64_t parse_bytes(std::string_view text, std::string_view what) {
  const auto fail = [&]() -> InputError {
    return InputError(
        fmt::format("{}: \"{}\" is not a size; expected for example 2048, 2KiB, 512MiB or 1.5GiB", what, text));
  };
  std::size_t at = 0;
  // The number without its point, and by how many powers of ten that is too much.
  std::uint64_t digits = 0;
  std::uint64_t scale = 1;
  bool any = false;
  bool point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    if (__builtin_mul_overflow(digits, 10, &digits) ||
        __builtin_add_overflow(digits, static_cast<std::uint64_t>(text[at] - '0'), &digits)) {
      throw fail();
    }
    if (point && __builtin_mul_overflow(scale, 10, &scale)) throw fail();
  }
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string_view unit_name = text.substr(at);
  std::size_t unit = 0;
  if (!unit_name.empty()) {
    while (unit < kUnits.size() && !same_unit(unit_name, kUnits[unit])) ++unit;
  }
  if (!any || unit == kUnits.size()) throw fail();
  std::uint64_t scaled = 0;
  if (__builtin_mul_overflow(digits, std::uint64_t{1} << (10 * unit), &scaled) || scaled % scale != 0) throw fail();
  return scaled / scale;
}

std::string format_bytes(std::uint64_t bytes) {
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 999.5 && unit + 1 < kUnits.size() && !(unit == 0 && bytes < 1024)) {
    value /= 1024;
    ++unit;
  }
  if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, kUnits[unit]);
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 0.9995)
    return fmt::format("{:.{}f} ms", seconds * 1e3, seconds < 9.995e-3 ? 2 : seconds < 99.95e-3 ? 1 : 0);
  if (seconds < 119.95) return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string format_count(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace proofline
