#include "filecoin/json_scanner.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>

namespace proofline::filecoin {
namespace {

constexpr std::size_t kDeepest = 1024;

constexpr std::array<bool, 256> table_of(std::string_view characters) {
  std::array<bool, 256> out{};
  for (const char character : characters) out[static_cast<std::uint8_t>(character)] = true;
  return out;
}

constexpr std::array<bool, 256> kSpace = table_of(" \t\r\n");
constexpr std::array<bool, 256> kNesting = table_of("[]{}\"");
constexpr std::array<bool, 256> kEndsString = table_of("\"\\");
constexpr std::array<bool, 256> kEndsScalar = table_of({" \t\r\n[]{}\",:\0", 12});

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

bool JsonScanner::fill() {
  const std::size_t next = begin_ + piece_.size();
  text_.release({begin_, next});
  begin_ = next;
  at_ = 0;
  piece_ = {};
  if (begin_ < text_.size()) piece_ = text_.piece(begin_, buffer_);
  return !piece_.empty();
}

/// Moves on to the first character that `table` has; false when there is none.
bool JsonScanner::seek(const std::array<bool, 256>& table) {
  do {
    while (at_ < piece_.size() && !table[piece_[at_]]) ++at_;
  } while (at_ == piece_.size() && fill());
  return at_ < piece_.size();
}

char JsonScanner::after_space() {
  while (kSpace[static_cast<std::uint8_t>(peek())]) ++at_;
  return peek();
}

void JsonScanner::open(char bracket, const char* expected) {
  const char found = after_space();
  if (found == '\0') path_.fail_damaged();
  if (found != bracket) path_.fail(expected);
  ++at_;
}

bool JsonScanner::closes(char bracket) {
  if (after_space() != bracket) return false;
  ++at_;
  return true;
}

bool JsonScanner::continues(char bracket) {
  const char found = after_space();
  if (found != ',' && found != bracket) path_.fail_damaged();
  ++at_;
  return found == ',';
}

std::string JsonScanner::key() {
  if (after_space() != '"') path_.fail_damaged();
  std::string out = content(string());
  if (after_space() != ':') path_.fail_damaged();
  ++at_;
  return out;
}

JsonScanner::String JsonScanner::string() {
  open('"', "a string");
  String out{{position(), 0}, false};
  while (seek(kEndsString)) {
    if (peek() == '"') {
      out.span.end = position();
      ++at_;
      return out;
    }
    out.escaped = true;
    ++at_;
    if (peek() == '\0') break;
    ++at_;
  }
  path_.fail_damaged();
}

std::string JsonScanner::content(const String& string) const {
  std::string text = text_.read(string.span);
  if (!string.escaped && is_plain(text)) return text;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  std::string_view out;
  const simdjson::padded_string quoted('"' + text + '"');
  if (parser.iterate(quoted).get(document) != simdjson::SUCCESS ||
      document.get_string().get(out) != simdjson::SUCCESS) {
    path_.fail_damaged();
  }
  return std::string(out);
}

TextSpan JsonScanner::skip() {
  const char first = after_space();
  const std::size_t begin = position();
  if (first == '"') {
    string();
  } else if (first == '[' || first == '{') {
    skip_nested();
  } else {
    skip_scalar();
  }
  return {begin, position()};
}

TextSpan JsonScanner::skip_array() {
  open('[', "an array");
  --at_;
  return skip();
}

void JsonScanner::skip_nested() {
  std::string closing;
  while (seek(kNesting)) {
    const char found = peek();
    if (found == '"') {
      string();
      continue;
    }
    ++at_;
    if (found == '[' || found == '{') {
      if (closing.size() == kDeepest) path_.fail("at most " + std::to_string(kDeepest) + " levels of brackets");
      closing += found == '[' ? ']' : '}';
      continue;
    }
    if (found != closing.back()) path_.fail_damaged();
    closing.pop_back();
    if (closing.empty()) return;
  }
  path_.fail_damaged();
}

void JsonScanner::skip_scalar() {
  const std::size_t begin = position();
  seek(kEndsScalar);
  if (position() == begin) path_.fail_damaged();
}

void JsonScanner::end() {
  if (after_space() != '\0' || position() != text_.size()) path_.fail("nothing after the JSON object");
}

}  // namespace proofline::filecoin
