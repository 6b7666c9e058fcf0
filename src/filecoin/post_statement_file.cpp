#include "filecoin/post_statement_file.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hex.hpp"
#include "filecoin/api_version.hpp"
#include "filecoin/node_file.hpp"
#include "filecoin/post_inputs.hpp"

namespace proofline::filecoin {
namespace {

using Json = nlohmann::ordered_json;

const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw InputError(std::string("\"") + key + "\" is missing");
  return *found;
}

std::uint64_t number(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number_unsigned()) throw InputError(std::string("\"") + key + "\" must be a whole number");
  return value.get<std::uint64_t>();
}

const std::string& text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw InputError(std::string("\"") + key + "\" must be a text");
  return value.get_ref<const std::string&>();
}

PostStatement parse(std::span<const std::uint8_t> bytes) {
  const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object()) throw InputError("not a JSON object");
  PostStatement out;
  if (json.contains("registered_proof")) {
    const std::string& name = text(json, "registered_proof");
    const PoStProofInfo info = about("\"registered_proof\"", [&] { return post_proof_info(name); });
    out.shape = info.shape();
    out.version = info.api_version;
  } else {
    out.shape = post_shape(post_kind(text(json, "proof")), sector_shape(number(json, "sector_size")));
    out.version = api_version(text(json, "api_version"), "\"api_version\"");
  }
  out.randomness = array_from_hex<32>(text(json, "randomness"), "\"randomness\"");
  const Json& sectors = member(json, "sectors");
  if (!sectors.is_array()) throw InputError("\"sectors\" must be a list");
  for (const Json& sector : sectors) {
    if (!sector.is_object()) throw InputError("\"sectors\" must hold objects with \"id\" and \"comm_r\"");
    const std::uint64_t id = number(sector, "id");
    const std::string what = "sector " + std::to_string(id) + ": \"comm_r\"";
    out.sectors.push_back({id, node_to_fr(array_from_hex<32>(text(sector, "comm_r"), what), what)});
  }
  check_statement(out);
  return out;
}

}  // namespace

std::string to_json(const PostStatement& statement) {
  Json json;
  json["proof"] = post_name(statement.shape.kind);
  json["sector_size"] = statement.shape.sector->sector_size;
  json["api_version"] = api_version_name(statement.version);
  json["randomness"] = to_hex(statement.randomness);
  Json& sectors = json["sectors"] = Json::array();
  for (const PostSector& sector : statement.sectors) {
    sectors.push_back({{"id", sector.id}, {"comm_r", to_hex(sector.comm_r.to_bytes())}});
  }
  return json.dump(2) + "\n";
}

PostStatement parse_post_statement(std::span<const std::uint8_t> text, std::string_view name) {
  return about(std::string(name), [&] { return parse(text); });
}

PostStatement read_post_statement(const std::filesystem::path& file) {
  return parse_post_statement(MappedFile(file).bytes(), file.string());
}

}  // namespace proofline::filecoin
