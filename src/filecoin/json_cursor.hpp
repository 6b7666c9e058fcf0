#pragma once
/// Reading JSON field by field with simdjson, knowing at each moment where in the document one is.
#include <simdjson.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filecoin/json_path.hpp"
#include "math/fr.hpp"

namespace proofline::filecoin {

/// Throws InputError "<document>: <path>: expected <what>" for whatever is not as asked.
class JsonCursor {
 public:
  using Value = simdjson::ondemand::value;

  explicit JsonCursor(JsonPath path) : path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& expected) const { path_.fail(expected); }

  /// For what simdjson answered where `expected` was asked for.
  void require(simdjson::error_code code, const char* expected) const {
    if (code == simdjson::INCORRECT_TYPE) fail(expected);
    if (code != simdjson::SUCCESS) path_.fail_damaged();
  }

  /// Parses a text, which must hold one object or array, and calls use(value) with that.
  template <class Use>
  void document(std::string& text, const Use& use) const {
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    Value root;
    if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document.get_value().get(root) != simdjson::SUCCESS) {
      path_.fail_damaged();
    }
    use(root);
  }

  /// Calls use(key, value) for each member.
  template <class Use>
  void object(Value value, const Use& use) {
    simdjson::ondemand::object object;
    require(value.get_object().get(object), "an object");
    for (auto field : object) {
      std::string_view key;
      Value member;
      require(field.unescaped_key().get(key), "an object");
      require(field.value().get(member), "an object");
      const JsonPath::Step step(path_, key);
      use(key, member);
    }
  }

  /// Calls use(index, value) for each element; returns their number.
  template <class Use>
  std::size_t array(Value value, const Use& use) {
    simdjson::ondemand::array array;
    require(value.get_array().get(array), "an array");
    std::size_t index = 0;
    for (auto element : array) {
      const JsonPath::Step step(path_, index);
      Value item;
      require(element.get(item), "an array");
      use(index++, item);
    }
    return index;
  }

  std::uint64_t integer(Value value, std::uint64_t largest) const {
    std::uint64_t out = 0;
    if (value.get_uint64().get(out) != simdjson::SUCCESS || out > largest) {
      fail("an integer from 0 to " + std::to_string(largest));
    }
    return out;
  }

  std::string string(Value value) const {
    std::string_view out;
    if (value.get_string().get(out) != simdjson::SUCCESS) fail("a string");
    return std::string(out);
  }

  /// An array of 32 byte values.
  std::array<std::uint8_t, 32> bytes32(Value value) const {
    simdjson::ondemand::array array;
    std::array<std::uint8_t, 32> out;
    std::size_t count = 0;
    require(value.get_array().get(array), "an array of 32 bytes");
    for (auto element : array) {
      std::uint64_t byte = 0;
      const simdjson::error_code code = element.get_uint64().get(byte);
      if (code == simdjson::TAPE_ERROR || code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) require(code, "");
      if (count == 32 || code != simdjson::SUCCESS || byte > 255) fail("an array of 32 integers from 0 to 255");
      out[count++] = static_cast<std::uint8_t>(byte);
    }
    if (count != 32) fail("an array of 32 bytes, got " + std::to_string(count));
    return out;
  }

  /// 32 bytes that are one.
  math::Fr element(Value value) const {
    const auto bytes = bytes32(value);
    const auto out = math::Fr::from_bytes(bytes);
    if (!out) fail("a field element: 32 bytes of a little-endian integer below the modulus");
    return *out;
  }

 private:
  JsonPath path_;
};

/// Checks that an object's members came, each once.
class Members {
 public:
  Members(const JsonCursor& cursor, std::vector<std::string_view> names)
      : cursor_(cursor), names_(std::move(names)), seen_(names_.size(), false) {}
  /// Notes a member; false when the name is not one of those wanted.
  bool note(std::string_view name) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != name) continue;
      if (seen_[i]) cursor_.fail("the member \"" + std::string(name) + "\" once, found it twice");
      seen_[i] = true;
      return true;
    }
    return false;
  }
  void require_all() const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (!seen_[i]) cursor_.fail("a member \"" + std::string(names_[i]) + "\"");
  }

 private:
  const JsonCursor& cursor_;
  std::vector<std::string_view> names_;
  std::vector<bool> seen_;
};

}  // namespace proofline::filecoin
