#pragma once
/// C1 texts of many partitions, and what is done to them.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/base64.hpp"
#include "filecoin/placeholder_proof.hpp"
#include "filecoin/vanilla_json.hpp"

namespace proofline::filecoin::test {

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A text in the envelope.
inline std::string in_envelope(std::string_view c1, std::uint64_t sector_size = 2048) {
  return nlohmann::ordered_json{{"SectorNum", 17}, {"Phase1Out", to_base64(bytes_of(c1))}, {"SectorSize", sector_size}}
      .dump();
}

/// A non-interactive proof's C1: 13 partitions of 2 challenges, all values different and meaningless.
inline VanillaProof many_partitions() {
  return placeholder_proof("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep");
}

}  // namespace proofline::filecoin::test
