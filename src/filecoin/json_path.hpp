#pragma once
/// Where in a JSON document one is, for messages.
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace proofline::filecoin {

/// A document's name and the path of a value in it: "comm_r", "vanilla_proofs.StackedDrg2KiBV1[0]".
class JsonPath {
 public:
  /// `path` is where the text that is read stands in the document; empty for the document itself.
  explicit JsonPath(std::string_view document, std::string_view path = "") : document_(document), path_(path) {}

  /// Throws InputError "<document>: <path>: expected <what>".
  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError(document_ + ": " + (path_.empty() ? "document" : path_) + ": expected " + expected);
  }
  /// For text that is no JSON.
  [[noreturn]] void fail_damaged() const { fail("well-formed JSON, found text that is cut short or damaged"); }

  /// Extends the path while it lives.
  class Step {
   public:
    Step(JsonPath& path, std::string_view key) : path_(path.path_), length_(path_.size()) {
      if (length_ != 0) path_ += '.';
      path_ += key;
    }
    Step(JsonPath& path, std::size_t index) : path_(path.path_), length_(path_.size()) {
      path_ += '[' + std::to_string(index) + ']';
    }
    ~Step() { path_.resize(length_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    std::string& path_;
    std::size_t length_;
  };

 private:
  std::string document_;
  std::string path_;
};

}  // namespace proofline::filecoin
