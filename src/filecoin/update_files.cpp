#include "filecoin/update_files.hpp"

#include <nlohmann/json.hpp>

#include "filecoin/fr32.hpp"
#include "filecoin/json_file.hpp"
#include "filecoin/node_file.hpp"

namespace proofline::filecoin {
namespace {

using Json = nlohmann::ordered_json;

/// The name of a size's registered proof; null for a size without one.
Json registered_name(std::uint64_t sector_size) {
  const UpdateProofInfo* info = find_update_proof(sector_size);
  return info == nullptr ? Json() : Json(info->json_name);
}

math::Fr element(const JsonFile& file, const char* key) {
  return node_to_fr(file.bytes(key), file.name(key));
}

std::uint64_t read_sector_size(const JsonFile& reader) {
  if (reader.has("sector_size")) {
    const std::uint64_t size = update_shape(reader.number("sector_size")).sector_size;
    if (reader.has("registered_proof") && registered_name(size) != reader.text("registered_proof")) {
      throw reader.wrong("registered_proof", registered_name(size).dump() + " for this sector_size");
    }
    return size;
  }
  const std::string name = reader.text("registered_proof");
  return about(reader.name("registered_proof"), [&] { return update_proof_info(name).sector_size; });
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
  const JsonFile reader(file);
  UpdateInfo info;
  info.statement = {read_sector_size(reader), element(reader, "comm_r_old"), element(reader, "comm_d_new"),
                    element(reader, "comm_r_new")};
  const std::uint64_t capacity = fr32_unpadded_size(info.statement.sector_size);
  info.data_bytes = reader.has("data_bytes") ? reader.number("data_bytes") : capacity;
  if (info.data_bytes > capacity) throw reader.wrong("data_bytes", "at most " + std::to_string(capacity));
  return info;
}

}  // namespace proofline::filecoin
