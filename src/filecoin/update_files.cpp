#include "filecoin/update_files.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/node_file.hpp"

namespace proofline::filecoin {
namespace {

using Json = nlohmann::ordered_json;

/// The name of a size's registered proof; null for a size without one.
Json registered_name(std::uint64_t sector_size) {
  const UpdateProofInfo* info = find_update_proof(sector_size);
  return info == nullptr ? Json() : Json(info->json_name);
}

/// One file's JSON object; every error names the file and the key.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw IoError(file_ + ": cannot read this file");
    json_ = Json::parse(text.str(), nullptr, false);
    if (!json_.is_object()) throw InputError(file_ + ": not a JSON object");
  }

  const std::string& name() const { return file_; }

  bool has(const char* key) const { return json_.contains(key) && !json_[key].is_null(); }

  std::uint64_t number(const char* key) const {
    if (!has(key) || !json_[key].is_number_unsigned()) throw wrong(key, "a whole number");
    return json_[key].get<std::uint64_t>();
  }

  std::string text(const char* key) const {
    if (!has(key) || !json_[key].is_string()) throw wrong(key, "a text");
    return json_[key].get<std::string>();
  }

  math::Fr element(const char* key) const {
    const std::string what = file_ + ": \"" + key + "\"";
    return node_to_fr(array_from_hex<32>(text(key), what), what);
  }

  InputError wrong(const char* key, const std::string& expected) const {
    return InputError(file_ + ": \"" + key + "\" must be " + expected);
  }

 private:
  std::string file_;
  Json json_;
};

std::uint64_t read_sector_size(const Reader& reader) {
  if (reader.has("sector_size")) {
    const std::uint64_t size = update_shape(reader.number("sector_size")).sector_size;
    if (reader.has("registered_proof") && registered_name(size) != reader.text("registered_proof")) {
      throw reader.wrong("registered_proof", registered_name(size).dump() + " for this sector_size");
    }
    return size;
  }
  const std::string name = reader.text("registered_proof");
  return about(reader.name() + ": \"registered_proof\"", [&] { return update_proof_info(name).sector_size; });
}

std::string hex(const math::Fr& value) {
  return to_hex(value.to_bytes());
}

}  // namespace

std::string to_json(const UpdateInfo& info) {
  Json json;
  json["comm_d_new"] = hex(info.statement.comm_d_new);
  json["comm_r_new"] = hex(info.statement.comm_r_new);
  json["comm_r_old"] = hex(info.statement.comm_r_old);
  json["registered_proof"] = registered_name(info.statement.sector_size);
  json["sector_size"] = info.statement.sector_size;
  json["data_bytes"] = info.data_bytes;
  return json.dump(2) + "\n";
}

UpdateInfo read_update_info(const std::filesystem::path& file) {
  const Reader reader(file);
  UpdateInfo info;
  info.statement = {read_sector_size(reader), reader.element("comm_r_old"), reader.element("comm_d_new"),
                    reader.element("comm_r_new")};
  const std::uint64_t capacity = fr32_unpadded_size(info.statement.sector_size);
  info.data_bytes = reader.has("data_bytes") ? reader.number("data_bytes") : capacity;
  if (info.data_bytes > capacity) throw reader.wrong("data_bytes", "at most " + std::to_string(capacity));
  return info;
}

}  // namespace proofline::filecoin
