#include "filecoin/registered_proof.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "filecoin/circuit_id.hpp"
#include "groth16/proof.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kSizes = 5;
constexpr std::size_t kSealVariants = 4;
constexpr std::size_t kPostVariants = 3;

// In every table the numbers count sizes within one variant, then variants.
constexpr std::array<std::uint64_t, kSizes> kSectorSizes{std::uint64_t{1} << 11, std::uint64_t{1} << 23,
                                                         std::uint64_t{1} << 29, std::uint64_t{1} << 35,
                                                         std::uint64_t{1} << 36};
constexpr std::array<std::string_view, kSizes * kSealVariants> kSealNames{
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
constexpr std::array<std::string_view, kSizes * kPostVariants> kPostNames{
    "StackedDrgWinning2KiBV1",    "StackedDrgWinning8MiBV1",   "StackedDrgWinning512MiBV1", "StackedDrgWinning32GiBV1",
    "StackedDrgWinning64GiBV1",   "StackedDrgWindow2KiBV1",    "StackedDrgWindow8MiBV1",    "StackedDrgWindow512MiBV1",
    "StackedDrgWindow32GiBV1",    "StackedDrgWindow64GiBV1",   "StackedDrgWindow2KiBV1_2",  "StackedDrgWindow8MiBV1_2",
    "StackedDrgWindow512MiBV1_2", "StackedDrgWindow32GiBV1_2", "StackedDrgWindow64GiBV1_2",
};

// By variant. Synthetic and non-interactive proofs use the rules of V1_2.
constexpr std::array<ApiVersion, kSealVariants> kSealVersions{ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2,
                                                              ApiVersion::kV1_2};
constexpr std::array<SealFeature, kSealVariants> kSealFeatures{
    SealFeature::kNone, SealFeature::kNone, SealFeature::kSyntheticPoRep, SealFeature::kNonInteractivePoRep};
constexpr std::array<PostKind, kPostVariants> kPostKinds{PostKind::kWinning, PostKind::kWindow, PostKind::kWindow};
constexpr std::array<ApiVersion, kPostVariants> kPostVersions{ApiVersion::kV1_0, ApiVersion::kV1_0, ApiVersion::kV1_2};

constexpr auto make_seal_table() {
  std::array<SealProofInfo, kSealNames.size()> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    SealProofInfo& info = table[i];
    info.proof = static_cast<RegisteredSealProof>(i);
    info.json_name = kSealNames[i];
    info.shape_name = kSealNames[i % kSizes];
    info.api_version = kSealVersions[i / kSizes];
    info.feature = kSealFeatures[i / kSizes];
    info.sector_size = kSectorSizes[i % kSizes];
    info.porep_id[0] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr auto make_post_table() {
  std::array<PoStProofInfo, kPostNames.size()> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = {static_cast<RegisteredPoStProof>(i), kPostNames[i], kPostKinds[i / kSizes], kPostVersions[i / kSizes],
                kSectorSizes[i % kSizes]};
  }
  return table;
}

constexpr auto make_update_table() {
  std::array<UpdateProofInfo, kSizes> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = {static_cast<RegisteredUpdateProof>(i), kSealNames[i], ApiVersion::kV1_2, kSectorSizes[i]};
  }
  return table;
}

constexpr auto kSealTable = make_seal_table();
constexpr auto kPostTable = make_post_table();
constexpr auto kUpdateTable = make_update_table();

template <class Info>
const Info& by_number(std::span<const Info> table, std::int64_t number, const char* what) {
  if (number < 0 || number >= static_cast<std::int64_t>(table.size())) {
    throw InputError(std::string(what) + ": " + std::to_string(number) + " is not known; expected 0 to " +
                     std::to_string(table.size() - 1));
  }
  return table[static_cast<std::size_t>(number)];
}

template <class Info>
const Info& by_name(std::span<const Info> table, std::string_view name, const char* what) {
  constexpr std::size_t kShown = 64;
  const auto found = std::ranges::find(table, name, &Info::json_name);
  if (found != table.end()) return *found;
  std::vector<std::string_view> names;
  for (const Info& info : table) names.push_back(info.json_name);
  throw InputError(std::string(what) + ": \"" + std::string(name.substr(0, kShown)) +
                   "\" is not known; the nearest name is \"" + std::string(nearest_name(name, names)) + "\"");
}

constexpr const char* kSeal = "registered seal proof";
constexpr const char* kPost = "registered PoSt proof";
constexpr const char* kUpdate = "registered update proof";

}  // namespace

std::string SealProofInfo::circuit_id() const {
  return filecoin::circuit_id(CircuitKind::kPorep, shape());
}

unsigned SealProofInfo::partitions() const {
  return feature == SealFeature::kNonInteractivePoRep ? shape().non_interactive_partitions : shape().partitions;
}

std::size_t SealProofInfo::proof_bytes() const {
  return partitions() * groth16::Proof::kBytes;
}

std::string PoStProofInfo::circuit_id() const {
  return filecoin::circuit_id(circuit_kind(kind), sector_shape(sector_size));
}

std::size_t PoStProofInfo::proof_bytes(std::size_t sectors) const {
  return partitions(sectors) * groth16::Proof::kBytes;
}

std::string UpdateProofInfo::circuit_id() const {
  return filecoin::circuit_id(CircuitKind::kUpdate, sector_shape(sector_size));
}

std::size_t UpdateProofInfo::proof_bytes() const {
  return partitions() * groth16::Proof::kBytes;
}

std::span<const SealProofInfo> seal_proofs() {
  return kSealTable;
}

std::span<const PoStProofInfo> post_proofs() {
  return kPostTable;
}

std::span<const UpdateProofInfo> update_proofs() {
  return kUpdateTable;
}

const SealProofInfo& seal_proof_info(RegisteredSealProof proof) {
  return by_number(seal_proofs(), static_cast<std::int64_t>(proof), kSeal);
}

const PoStProofInfo& post_proof_info(RegisteredPoStProof proof) {
  return by_number(post_proofs(), static_cast<std::int64_t>(proof), kPost);
}

const UpdateProofInfo& update_proof_info(RegisteredUpdateProof proof) {
  return by_number(update_proofs(), static_cast<std::int64_t>(proof), kUpdate);
}

const SealProofInfo& seal_proof_info(std::string_view json_name) {
  return by_name(seal_proofs(), json_name, kSeal);
}

const PoStProofInfo& post_proof_info(std::string_view json_name) {
  return by_name(post_proofs(), json_name, kPost);
}

const UpdateProofInfo& update_proof_info(std::string_view json_name) {
  return by_name(update_proofs(), json_name, kUpdate);
}

const SealProofInfo& seal_proof_info(std::uint64_t sector_size, ApiVersion version) {
  for (const SealProofInfo& info : kSealTable) {
    if (info.sector_size == sector_size && info.api_version == version && info.feature == SealFeature::kNone) {
      return info;
    }
  }
  throw InputError("registered seal proof: there is no interactive proof of this version for " +
                   std::string(sector_shape(sector_size).name) +
                   " sectors; expected V1 or V1_1 of 2KiB, 8MiB, 512MiB, 32GiB or 64GiB");
}

const UpdateProofInfo* find_update_proof(std::uint64_t sector_size) {
  const auto found = std::ranges::find(kUpdateTable, sector_size, &UpdateProofInfo::sector_size);
  return found == kUpdateTable.end() ? nullptr : &*found;
}

}  // namespace proofline::filecoin
