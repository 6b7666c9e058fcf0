#include "filecoin/sector_files.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/hex.hpp"
#include "filecoin/api_version.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/json_file.hpp"
#include "filecoin/tree.hpp"

namespace proofline::filecoin {
namespace {

using Json = nlohmann::ordered_json;

SealRules read_rules(const JsonFile& reader) {
  SealRules rules;
  if (reader.has("registered_proof")) {
    rules = seal_rules(seal_proof_info(reader.text("registered_proof")));
    if (reader.has("sector_size") && reader.number("sector_size") != rules.sector_size) {
      throw reader.wrong("sector_size", std::to_string(rules.sector_size) + " for this registered_proof");
    }
    if (reader.has("porep_id") && reader.bytes("porep_id") != rules.porep_id) {
      throw reader.wrong("porep_id", to_hex(rules.porep_id) + " for this registered_proof");
    }
    return rules;
  }
  rules.sector_size = sector_shape(reader.number("sector_size")).sector_size;
  rules.version = api_version(reader.text("api_version"), reader.name("api_version"));
  rules.porep_id = reader.bytes("porep_id");
  return rules;
}

}  // namespace

SectorFiles::SectorFiles(std::filesystem::path folder, const SectorShape& shape)
    : folder_(std::move(folder)), base_trees_(base_tree_count(shape.tree)) {}

std::filesystem::path SectorFiles::layer(unsigned number) const {
  return cache() / ("sc-02-data-layer-" + std::to_string(number) + ".dat");
}

std::filesystem::path SectorFiles::tree_d() const {
  return cache() / "sc-02-data-tree-d.dat";
}
std::filesystem::path SectorFiles::tree_c(unsigned base_tree) const {
  return tree("tree-c", base_tree);
}
std::filesystem::path SectorFiles::tree_r_last(unsigned base_tree) const {
  return tree("tree-r-last", base_tree);
}

std::filesystem::path SectorFiles::tree(const char* name, unsigned base_tree) const {
  const std::string number = base_trees_ == 1 ? "" : "-" + std::to_string(base_tree);
  return cache() / (std::string("sc-02-data-") + name + number + ".dat");
}

SealRules seal_rules(const SealProofInfo& info) {
  return {info.sector_size, info.api_version, info.porep_id, info.proof};
}

SealRules seal_rules(std::uint64_t sector_size, ApiVersion version) {
  constexpr std::uint64_t kSmallest = 2048;
  sector_shape(sector_size);
  SealRules rules = seal_rules(seal_proof_info(kSmallest, version));
  for (const SealProofInfo& info : seal_proofs()) {
    if (info.sector_size == sector_size && info.api_version == version && info.feature == SealFeature::kNone) {
      return seal_rules(info);
    }
  }
  rules.sector_size = sector_size;
  rules.proof.reset();
  return rules;
}

std::string to_json(const SectorInfo& info) {
  Json json;
  json["comm_d"] = to_hex(info.comm_d);
  json["comm_r"] = to_hex(info.comm_r);
  json["piece_commitment"] = to_hex(info.piece_commitment);
  json["piece_unpadded_size"] = info.piece_unpadded_size;
  json["prover_id"] = to_hex(info.ids.prover_id);
  json["registered_proof"] = info.rules.proof ? Json(seal_proof_info(*info.rules.proof).json_name) : Json();
  json["replica_id"] = to_hex(info.replica_id);
  json["sector_id"] = info.ids.sector_id;
  json["seed"] = to_hex(info.ids.seed);
  json["ticket"] = to_hex(info.ids.ticket);
  json["sector_size"] = info.rules.sector_size;
  json["api_version"] = api_version_name(info.rules.version);
  json["porep_id"] = to_hex(info.rules.porep_id);
  json["data_bytes"] = info.data_bytes;
  return json.dump(2) + "\n";
}

SectorInfo read_sector_info(const std::filesystem::path& file) {
  const JsonFile reader(file);
  SectorInfo info;
  info.rules = read_rules(reader);
  info.ids = {reader.bytes("prover_id"), reader.number("sector_id"), reader.bytes("ticket"), reader.bytes("seed")};
  info.piece_unpadded_size = reader.number("piece_unpadded_size");
  info.piece_commitment = reader.bytes("piece_commitment");
  info.comm_d = reader.bytes("comm_d");
  info.comm_r = reader.bytes("comm_r");
  info.replica_id = reader.bytes("replica_id");
  const std::uint64_t capacity = fr32_unpadded_size(info.rules.sector_size);
  if (info.piece_unpadded_size > capacity) {
    throw reader.wrong("piece_unpadded_size", "at most " + std::to_string(capacity));
  }
  info.data_bytes = reader.has("data_bytes") ? reader.number("data_bytes") : info.piece_unpadded_size;
  if (info.data_bytes > info.piece_unpadded_size) {
    throw reader.wrong("data_bytes", "at most piece_unpadded_size");
  }
  return info;
}

}  // namespace proofline::filecoin
