#pragma once
/// The small sectors that the reference implementation sealed, as kept in tests/data/sectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "filecoin/node_hash.hpp"
#include "filecoin/registered_proof.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin::test {

using namespace proofline::test;

inline Bytes32 bytes32(const std::string& hex_text) {
  const std::vector<std::uint8_t> bytes = unhex(hex_text);
  if (bytes.size() != 32) throw std::runtime_error("not 32 bytes: " + hex_text);
  Bytes32 out;
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

inline Bytes32 filled(std::uint8_t byte) {
  Bytes32 out;
  out.fill(byte);
  return out;
}

struct GoldenSector {
  explicit GoldenSector(const std::string& sector_name)
      : name(sector_name), folder(data_path("sectors/" + sector_name)), json(read_json(folder / "sector.json")) {}

  const SealProofInfo& info() const { return seal_proof_info(json["registered_proof"].get<std::string>()); }
  Bytes32 id(const char* key) const { return bytes32(json[key].get<std::string>()); }
  std::vector<std::uint8_t> file(const std::string& relative) const { return read_bytes(folder / relative); }
  std::vector<Node> nodes(const std::string& relative) const {
    const std::vector<std::uint8_t> bytes = file(relative);
    const auto view = as_nodes(std::span<const std::uint8_t>(bytes));
    return {view.begin(), view.end()};
  }

  std::string name;
  std::filesystem::path folder;
  nlohmann::json json;
};

inline const std::vector<std::string> kSmallSectors{"2k-1", "2k-2", "2kv1-4"};

}  // namespace proofline::filecoin::test
