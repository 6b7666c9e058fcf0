#pragma once
/// A discrete-event model of the proving pipeline: what throughput, latency and peak memory follow from stage times,
/// sizes and flow control. It makes no proofs and measures nothing; all times are simulated seconds from the start.
///
///     parse -> [permit, bytes] synthesis -> queue -> device slot -> finish -> (all partitions) verify -> delivered
///
/// `proofs_in_flight` proofs are in the pipeline at any time while there are proofs left (a closed loop). Partitions
/// are synthesised, and taken by devices, oldest proof first. Syntheses slow each other down by how many are running at
/// the moment (processor sharing); finish and verify run beside everything else. Bytes of a partition: synthesis_bytes
/// when its synthesis starts, partition_bytes when it ends, less freed_bytes when a device takes it, none when
/// finished.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/simulation_config.hpp"

namespace proofline::engine {

/// The state from this time until the next sample's.
struct SimulationSample {
  double seconds = 0;
  std::uint64_t host_bytes = 0;
  unsigned synthesising = 0;
  unsigned queued = 0;      ///< synthesised and waiting for a device
  unsigned busy_slots = 0;  ///< of the device
};

struct SimulationResult {
  /// Over the deliveries from the first to the third quarter of all (the whole run when there are fewer than four).
  double seconds_per_proof = 0;
  double device_busy_share = 0;  ///< of slots times time, in the same window
  /// From entering to delivery, of proofs that entered after the first delivery (of all, when there are none). The
  /// smallest values that half and 95 % of them do not exceed.
  double latency_p50 = 0;
  double latency_p95 = 0;
  std::uint64_t peak_host_bytes = 0;
  std::uint64_t peak_device_bytes = 0;
  unsigned peak_queued = 0;
  /// When host bytes first exceeded machine_bytes. The simulation goes on as if there were more memory; a real process
  /// would be killed about then.
  std::optional<double> exceeded_at;
  double total_seconds = 0;               ///< until the last delivery
  std::vector<double> delivered_at;       ///< in order of delivery
  std::vector<SimulationSample> samples;  ///< at strictly rising times, from 0 to total_seconds
};

/// Runs the model. The same configuration gives the same result on every machine. Throws InputError as check() does.
SimulationResult simulate(const SimulationConfig& config);

}  // namespace proofline::engine
