#pragma once
/// Finding where the values of a long JSON text lie, without parsing or indexing them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filecoin/json_path.hpp"
#include "filecoin/json_text.hpp"

namespace proofline::filecoin {

/// Walks over a text once, from front to back, releasing what lies behind. The objects and arrays that are entered must
/// be well-formed; of a value that is skipped only strings and the nesting of brackets are looked at. Throws
/// InputError "<document>: <path>: expected <what>" for whatever is not so.
class JsonScanner {
 public:
  /// The text must outlive the scanner.
  JsonScanner(const JsonText& text, std::string_view document) : text_(text), path_(document) {}

  [[noreturn]] void fail(const std::string& expected) const { path_.fail(expected); }

  /// Enters the object that comes next: use(key) for each member must consume the member's value.
  template <class Use>
  void object(const Use& use) {
    open('{', "an object");
    for (bool more = !closes('}'); more; more = continues('}')) {
      const std::string key = this->key();
      const JsonPath::Step step(path_, key);
      use(key);
    }
  }

  /// Enters the array that comes next: use(index) must consume the element. Returns how many there were.
  template <class Use>
  std::size_t array(const Use& use) {
    open('[', "an array");
    std::size_t index = 0;
    for (bool more = !closes(']'); more; more = continues(']')) {
      const JsonPath::Step step(path_, index);
      use(index++);
    }
    return index;
  }

  /// Consumes the value that comes next, whatever it is.
  TextSpan skip();
  /// Consumes an array without entering it.
  TextSpan skip_array();

  /// A string's text between its quotes, and whether that has escape sequences.
  struct String {
    TextSpan span;
    bool escaped = false;
  };
  /// Consumes a string.
  String string();
  /// A string's content.
  std::string content(const String& string) const;

  /// Nothing but spaces may be left.
  void end();

 private:
  std::size_t position() const { return begin_ + at_; }
  /// The next character; 0 at the end of the text, and for a NUL, which JSON has none of.
  char peek() { return at_ < piece_.size() || fill() ? static_cast<char>(piece_[at_]) : '\0'; }
  bool fill();
  bool seek(const std::array<bool, 256>& table);
  char after_space();

  void open(char bracket, const char* expected);
  bool closes(char bracket);
  bool continues(char bracket);
  std::string key();
  void skip_nested();
  void skip_scalar();

  const JsonText& text_;
  JsonPath path_;
  std::vector<std::uint8_t> buffer_;
  std::span<const std::uint8_t> piece_;
  std::size_t begin_ = 0;  ///< of the piece, in the text
  std::size_t at_ = 0;     ///< in the piece
};

}  // namespace proofline::filecoin
