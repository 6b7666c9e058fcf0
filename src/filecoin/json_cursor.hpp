#pragma once
/// Reading JSON field by field with simdjson, knowing at each moment where in the document one is.
#include <simdjson.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace proofline::filecoin {

/// Throws InputError "<document>: <path>: expected <what>" for whatever is not as asked.
class JsonCursor {
 public:
  using Value = simdjson::ondemand::value;

  explicit JsonCursor(std::string_view document) : document_(document) {}

  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError(document_ + ": " + (path_.empty() ? "document" : path_) + ": expected " + expected);
  }

  /// For what simdjson answered where `expected` was asked for.
  void require(simdjson::error_code code, const char* expected) const {
    if (code == simdjson::INCORRECT_TYPE) fail(expected);
    if (code != simdjson::SUCCESS) fail("well-formed JSON, found text that is cut short or damaged");
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
      const Step step(*this, (path_.empty() ? "" : ".") + std::string(key));
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
      const Step step(*this, "[" + std::to_string(index) + "]");
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

 private:
  /// Extends the path while it lives.
  class Step {
   public:
    Step(JsonCursor& cursor, const std::string& step) : cursor_(cursor), length_(cursor.path_.size()) {
      cursor_.path_ += step;
    }
    ~Step() { cursor_.path_.resize(length_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    JsonCursor& cursor_;
    std::size_t length_;
  };

  std::string document_;
  std::string path_;
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
