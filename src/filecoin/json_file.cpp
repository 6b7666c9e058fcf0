#include "filecoin/json_file.hpp"

#include <fstream>
#include <sstream>

#include "base/hex.hpp"

namespace proofline::filecoin {

JsonFile::JsonFile(const std::filesystem::path& file) : file_(file.string()) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw IoError(file_ + ": cannot read this file");
  json_ = nlohmann::ordered_json::parse(text.str(), nullptr, false);
  if (!json_.is_object()) throw InputError(file_ + ": not a JSON object");
}

std::uint64_t JsonFile::number(const char* key) const {
  if (!has(key) || !json_[key].is_number_unsigned()) throw wrong(key, "a whole number");
  return json_[key].get<std::uint64_t>();
}

std::string JsonFile::text(const char* key) const {
  if (!has(key) || !json_[key].is_string()) throw wrong(key, "a text");
  return json_[key].get<std::string>();
}

Bytes32 JsonFile::bytes(const char* key) const {
  return array_from_hex<32>(text(key), name(key));
}

}  // namespace proofline::filecoin
