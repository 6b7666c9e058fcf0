#include "filecoin/registered_proof.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kSizes = 5;
constexpr std::size_t kVariants = 4;

// Sizes in the order of the numbers within one variant.
constexpr std::array<std::string_view, kSizes> kShapeNames{"StackedDrg2KiBV1", "StackedDrg8MiBV1", "StackedDrg512MiBV1",
                                                           "StackedDrg32GiBV1", "StackedDrg64GiBV1"};
constexpr std::array<std::uint64_t, kSizes> kSectorSizes{std::uint64_t{1} << 11, std::uint64_t{1} << 23,
                                                         std::uint64_t{1} << 29, std::uint64_t{1} << 35,
                                                         std::uint64_t{1} << 36};
constexpr std::array<std::string_view, kSizes * kVariants> kJsonNames{
    "StackedDrg2KiBV1",
    "StackedDrg8MiBV1",
    "StackedDrg512MiBV1",
    "StackedDrg32GiBV1",
    "StackedDrg64GiBV1",
    "StackedDrg2KiBV1_1",
    "StackedDrg8MiBV1_1",
    "StackedDrg512MiBV1_1",
    "StackedDrg32GiBV1_1",
    "StackedDrg64GiBV1_1",
    "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg8MiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg512MiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg32GiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg64GiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg8MiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg512MiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep",
};

// The variants in the order of their numbers. Synthetic and non-interactive proofs use the rules of V1_2.
constexpr std::array<ApiVersion, kVariants> kVersions{ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2,
                                                      ApiVersion::kV1_2};
constexpr std::array<SealFeature, kVariants> kFeatures{SealFeature::kNone, SealFeature::kNone,
                                                       SealFeature::kSyntheticPoRep, SealFeature::kNonInteractivePoRep};

constexpr std::array<SealProofInfo, kSizes * kVariants> make_table() {
  std::array<SealProofInfo, kSizes * kVariants> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    SealProofInfo& info = table[i];
    info.proof = static_cast<RegisteredSealProof>(i);
    info.json_name = kJsonNames[i];
    info.shape_name = kShapeNames[i % kSizes];
    info.api_version = kVersions[i / kSizes];
    info.feature = kFeatures[i / kSizes];
    info.sector_size = kSectorSizes[i % kSizes];
    info.porep_id[0] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr std::array<SealProofInfo, kSizes* kVariants> kTable = make_table();

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above + 1, row[j - 1] + 1});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

const SealProofInfo& seal_proof_info(RegisteredSealProof proof) {
  const auto number = static_cast<std::int64_t>(proof);
  if (number < 0 || number >= static_cast<std::int64_t>(kTable.size())) {
    throw InputError("registered seal proof: " + std::to_string(number) + " is not known; expected 0 to " +
                     std::to_string(kTable.size() - 1));
  }
  return kTable[static_cast<std::size_t>(number)];
}

const SealProofInfo& seal_proof_info(std::string_view json_name) {
  // What comes from outside may be long: the distance is for names only.
  constexpr std::size_t kLongestName = 64;
  const SealProofInfo* nearest = &kTable[0];
  std::size_t best = SIZE_MAX;
  for (const SealProofInfo& info : kTable) {
    if (info.json_name == json_name) return info;
    if (json_name.size() > kLongestName) continue;
    const std::size_t distance = edit_distance(json_name, info.json_name);
    if (distance < best) {
      best = distance;
      nearest = &info;
    }
  }
  throw InputError("registered seal proof: \"" + std::string(json_name.substr(0, kLongestName)) +
                   "\" is not known; the nearest name is \"" + std::string(nearest->json_name) + "\"");
}

const SealProofInfo& seal_proof_info(std::uint64_t sector_size, ApiVersion version) {
  for (const SealProofInfo& info : kTable) {
    if (info.sector_size == sector_size && info.api_version == version && info.feature == SealFeature::kNone) {
      return info;
    }
  }
  throw InputError("registered seal proof: there is no interactive proof of this version for " +
                   std::string(sector_shape(sector_size).name) +
                   " sectors; expected V1 or V1_1 of 2KiB, 8MiB, 512MiB, 32GiB or 64GiB");
}

}  // namespace proofline::filecoin
