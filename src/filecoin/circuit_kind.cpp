#include "filecoin/circuit_kind.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/update_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "r1cs/row_digest.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"porep", "winning-post", "window-post", "update"};

/// Reports how much of the circuit has passed, by the number of one kind of thing in it.
template <class Count>
class RecordingProgress final : public r1cs::RowSink {
 public:
  RecordingProgress(Progress& progress, const Count& count, std::uint64_t total)
      : progress_(progress), count_(count), total_(total) {}
  void row(const r1cs::Builder& builder, const r1cs::Row&) override {
    if (builder.num_constraints() % (1 << 16) == 0) progress_.report("record circuit", count_(builder), total_);
  }

 private:
  Progress& progress_;
  const Count& count_;
  std::uint64_t total_;
};

template <class Count>
r1cs::StructuredR1cs record(const r1cs::Circuit& circuit, Progress& progress, const Count& count, std::uint64_t total) {
  r1cs::CircuitRecorder recorder;
  RecordingProgress<Count> passed(progress, count, total);
  r1cs::RowTee tee({&recorder, &passed});
  r1cs::Builder builder(&tee, r1cs::Keep::kNothing);
  circuit(builder);
  return recorder.finish(builder);
}

/// The challenges of an update make up nearly all its rows; their number is in the path.
r1cs::StructuredR1cs record_update(const UpdateShape& shape, Progress& progress) {
  const auto challenge = [](const r1cs::Builder& builder) -> std::uint64_t {
    constexpr std::string_view kScope = "challenge[";
    const std::string path = builder.path();
    return path.starts_with(kScope) ? std::stoull(path.substr(kScope.size())) : 0;
  };
  return record(update_shape_circuit(shape), progress, challenge, shape.challenges_per_partition);
}

}  // namespace

std::span<const std::string_view> circuit_kind_names() {
  return kNames;
}

std::string_view circuit_kind_name(CircuitKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

CircuitKind circuit_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<CircuitKind>(found - kNames.begin());
  throw InputError("kind of proof: \"" + std::string(name.substr(0, 64)) +
                   "\" is not known; expected porep, winning-post, window-post or update");
}

std::uint64_t circuit_inputs(CircuitKind kind, const SectorShape& sector) {
  switch (kind) {
    case CircuitKind::kPorep:
      // ONE, replica_id, comm_d, comm_r, and 18 for each challenge.
      return 4 + 18 * std::uint64_t{sector.challenges_per_partition};
    case CircuitKind::kWinningPost:
      return post_shape(PostKind::kWinning, sector).num_inputs();
    case CircuitKind::kWindowPost:
      return post_shape(PostKind::kWindow, sector).num_inputs();
    case CircuitKind::kUpdate:
      break;
  }
  update_shape(sector.sector_size);
  return 5;
}

unsigned circuit_partitions(CircuitKind kind, const SectorShape& sector) {
  switch (kind) {
    case CircuitKind::kPorep:
      return sector.partitions;
    case CircuitKind::kUpdate:
      return update_shape(sector.sector_size).partitions;
    default:
      return 1;
  }
}

r1cs::StructuredR1cs record_circuit(CircuitKind kind, const SectorShape& sector, Progress& progress) {
  switch (kind) {
    case CircuitKind::kPorep:
      // Inputs are spread evenly over the challenges.
      return record(
          porep_shape_circuit(sector), progress, [](const r1cs::Builder& builder) { return builder.num_inputs(); },
          circuit_inputs(kind, sector));
    case CircuitKind::kWinningPost:
      return record_post(post_shape(PostKind::kWinning, sector));
    case CircuitKind::kWindowPost:
      return record_post(post_shape(PostKind::kWindow, sector));
    case CircuitKind::kUpdate:
      break;
  }
  return record_update(update_shape(sector.sector_size), progress);
}

}  // namespace proofline::filecoin
