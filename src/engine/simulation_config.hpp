#pragma once
/// What a simulation of the proving pipeline (engine/simulation.hpp) is told: stage times, sizes and flow control.
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace proofline::engine {

/// When a partition may be synthesised. Each of `workers` permits allows one synthesis at a time.
enum class FlowControl {
  kReleaseAfterSynthesis,  ///< the permit is given back when synthesis ends: finished partitions may pile up
  kHoldThroughHandover,    ///< the permit is held until a device has taken the partition
  kLedger,  ///< as the first, but synthesis starts only when all the partition's bytes fit into the budget
};

inline constexpr std::array kFlowControls = {FlowControl::kReleaseAfterSynthesis, FlowControl::kHoldThroughHandover,
                                             FlowControl::kLedger};

/// "release-after-synthesis", "hold-through-handover", "ledger".
std::string_view flow_control_name(FlowControl policy);

/// Throws InputError listing the names.
FlowControl flow_control(std::string_view name);

/// The names of the members are those of the fields in a configuration file. Seconds are wall time, sizes bytes.
/// The defaults are the seed study: docs/flow-control.md says which of them are measured, fitted or assumed.
struct SimulationConfig {
  FlowControl policy = FlowControl::kReleaseAfterSynthesis;
  unsigned workers = 10;
  unsigned proofs = 20;            ///< how many are made in all
  unsigned proofs_in_flight = 15;  ///< a new one enters when one is delivered
  unsigned partitions = 10;        ///< of each proof
  unsigned device_slots = 1;

  double parse_seconds = 0.5;       ///< a proof, before its first partition can start
  double synthesis_seconds = 21.5;  ///< a partition, when it is the only one in synthesis
  /// With n in synthesis each takes synthesis_seconds * (1 + synthesis_slowdown * (n - 1)): they share memory
  /// bandwidth.
  double synthesis_slowdown = 0.08;
  double device_seconds = 3.71;  ///< a partition, on one slot
  double finish_seconds = 1.5;   ///< a partition, on the host, beside the device's next one
  double verify_seconds = 0.1;   ///< a proof, when all its partitions are finished
  /// Each partition's stage times are multiplied by a number drawn evenly from 1 - jitter to 1 + jitter.
  double jitter = 0;
  std::uint64_t seed = 1;

  std::uint64_t base_bytes = std::uint64_t{70} << 30;       ///< held all the time: parameters, circuit
  std::uint64_t synthesis_bytes = std::uint64_t{13} << 30;  ///< of a partition in synthesis
  std::uint64_t partition_bytes = std::uint64_t{16} << 30;  ///< of a synthesised partition
  std::uint64_t freed_bytes = std::uint64_t{12} << 30;      ///< of these, freed when a device takes it
  std::uint64_t device_bytes = 0;                           ///< device memory of a partition while it is on a slot
  std::uint64_t budget_bytes = std::uint64_t{367} << 30;    ///< host bytes that the ledger grants, base included
  std::uint64_t machine_bytes = std::uint64_t{755} << 30;   ///< host memory; only compared with
};

/// Throws InputError naming the field for counts of nought (or above 100,000; a million partitions in all), times that
/// are negative or not finite, sizes that contradict each other, and a budget in which no partition fits.
void check(const SimulationConfig& config);

/// A configuration from JSON text: an object whose fields are members of SimulationConfig; those left out keep their
/// values of `defaults`. Sizes are numbers of bytes or strings such as "16GiB". Throws InputError starting with
/// `source` (the file's name) and naming the field. The result is checked.
SimulationConfig simulation_config_from_json(std::string_view text, std::string_view source,
                                             const SimulationConfig& defaults = {});

/// All fields, as simulation_config_from_json reads them.
nlohmann::ordered_json to_json(const SimulationConfig& config);

}  // namespace proofline::engine
