#pragma once
/// Small JSON files: one object, whose members are asked for by name.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// One file's JSON object; every error names the file and the member.
class JsonFile {
 public:
  /// Throws IoError when the file cannot be read, InputError when it holds no JSON object.
  explicit JsonFile(const std::filesystem::path& file);

  /// False also for null.
  bool has(const char* key) const { return json_.contains(key) && !json_[key].is_null(); }
  /// Each throws InputError when the member is missing or something else.
  std::uint64_t number(const char* key) const;
  std::string text(const char* key) const;
  /// 32 bytes in hex.
  Bytes32 bytes(const char* key) const;

  /// File and member, for messages about its content.
  std::string name(const char* key) const { return file_ + ": \"" + key + "\""; }
  InputError wrong(const char* key, const std::string& expected) const {
    return InputError(name(key) + " must be " + expected);
  }

 private:
  std::string file_;
  nlohmann::ordered_json json_;
};

}  // namespace proofline::filecoin
