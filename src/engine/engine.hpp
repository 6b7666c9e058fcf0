#pragma once
/// Many proofs in flight on one machine: jobs go through admission, witness, start, finish, verification and delivery,
/// partition by partition, within one budget of memory (docs/engine.md).
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/backend.hpp"
#include "engine/event_recorder.hpp"
#include "engine/journal.hpp"
#include "engine/memory_ledger.hpp"
#include "engine/proof_task.hpp"
#include "engine/proving_kit.hpp"

namespace proofline::engine {

/// The request_id belongs to another payload.
class RequestIdTaken : public InputError {
 public:
  using InputError::InputError;
};

/// The engine takes no more jobs.
class ShuttingDown : public Error {
 public:
  using Error::Error;
};

/// What an engine works with. Everything referred to must outlive it.
struct EngineParts {
  MemoryLedger& ledger;
  EventRecorder& recorder;
  Journal& journal;
  KitSource& kits;
  TaskMaker make_task;
  std::vector<std::unique_ptr<device::Backend>> backends;  ///< at least one
  const Executor& witness_exec;                            ///< for parsing, checking and witnesses
  /// Takes what no other backend can: partitions that failed twice, and all while the others are lost. Its working
  /// memory is taken from what is free then, and not beforehand. None: nullptr.
  std::unique_ptr<device::Backend> fallback = {};
};

struct EngineOptions {
  unsigned witness_workers = 0;   ///< partitions whose witness is being made or waits for a device; 0: as measured
  unsigned proofs_in_flight = 0;  ///< jobs admitted at a time; 0: as many as keep the workers busy
  /// A start() or finish() that takes longer is asked to stop and counts as the device's failure; 0: any time. Not of
  /// the fallback, which is slower by its nature.
  std::chrono::milliseconds step_timeout{0};
  /// Circuits whose kit and memory for one partition are kept ready for critical jobs.
  std::vector<std::string> critical_circuits = {};
  /// By backend name: the kinds that it takes, and no others. Backends that are not named take all.
  std::map<std::string, std::vector<filecoin::CircuitKind>> devices_for_kinds = {};
  /// Told of each job that has ended. Called under the engine's lock: must be quick, and must not call the engine.
  std::function<void(const JobRecord&)> on_end = {};
};

/// How to treat a job.
struct SubmitOptions {
  std::string request_id = {};  ///< idempotency key; empty: one is made
  std::optional<Priority> priority =
      std::nullopt;  ///< nothing: critical for WinningPoSt, high for WindowPoSt, else normal
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;  ///< from submission
  /// JobRecord::is_kept. A job that is joined stays kept, and becomes so.
  bool is_kept = true;
};

struct StageTime {
  std::string name;
  double seconds = 0;  ///< summed over partitions
};

/// The stage in which a job gets its circuit and parameters, of the job and not of a partition. Includes the waiting
/// for memory for them.
inline constexpr std::string_view kLoadStage = "load";
/// The stage in which a partition's witness is made. All other stages are those of devices, and "verification".
inline constexpr std::string_view kWitnessStage = "witness";

/// Where a partition of a job is: nobody works on it yet; its witness is made; it waits for a device; a device works on
/// it; the rest of its proof is made and verified; it has a proof.
enum class PartitionStage { kQueued, kWitness, kWaiting, kDevice, kFinish, kDone };
inline constexpr std::size_t kPartitionStages = 6;
/// "queued", "witness", "waiting", "device", "finish", "done"
std::string_view partition_stage_name(PartitionStage stage);

struct JobStatus {
  JobRecord record;
  std::string circuit_id;            ///< empty before admission, and of jobs of an earlier run
  std::size_t partitions_total = 0;  ///< 0 before admission
  std::size_t partitions_done = 0;
  std::vector<PartitionStage> partitions;  ///< empty unless the job is running in this run of the engine
  std::vector<StageTime> stages;           ///< in the order of their first end; of this run of the engine
  /// The partitions' proofs, one after another. Empty until the job is done.
  Bytes proof() const;
};

struct DeviceStatus {
  std::string name;
  bool lost = false;  ///< hangs in a step
  bool is_fallback = false;
  std::string work;          ///< "job 17, partition 4", empty when idle
  std::optional<JobId> job;  ///< whose partition that is
  std::uint64_t partitions = 0, failures = 0;
};

/// How often a stage has ended in this run of the engine, and how long it took in all.
struct StageTotal {
  std::string name;
  std::uint64_t count = 0;
  double seconds = 0;
};

struct EngineStatus {
  std::map<filecoin::CircuitKind, std::size_t> queued, running;
  std::size_t partitions_waiting = 0;  ///< with a witness, for a device
  std::size_t partitions_waiting_peak = 0;
  unsigned witness_workers = 0;                       ///< how many may work now
  std::uint64_t done = 0, failed = 0, cancelled = 0;  ///< jobs, of this run; failed: in whatever other way they ended
  std::vector<DeviceStatus> devices;
  std::vector<StageTotal> stages;  ///< of all jobs, in the order of their first end
};

struct EngineState;

/// Its functions may be called from several threads.
class Engine {
 public:
  /// Takes up the journal's unfinished jobs and starts working. Throws InputError when options name an unknown backend
  /// or circuit, ImpossibleReservation when critical_circuits do not fit the budget.
  Engine(EngineParts parts, EngineOptions options);
  /// Stops: steps in progress are asked to stop and waited for; unfinished jobs stay in the journal.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// The job is in the journal when this returns. A request_id that is known joins its job when that waits, runs or is
  /// done, and starts anew when it failed. Throws InputError when the request is not sound, RequestIdTaken, or
  /// ShuttingDown.
  JobId submit(ProofRequest request, SubmitOptions options = {});
  /// Returns when the job has ended, or the timeout has passed, with what is known then. Throws InputError for an
  /// unknown job.
  JobStatus await(JobId id, std::optional<std::chrono::milliseconds> timeout = std::nullopt);
  JobStatus status(JobId id) const;
  /// Ends a job that has not ended; its memory comes back as its steps stop. False when it had ended already.
  bool cancel(JobId id);
  EngineStatus status() const;
  /// Those that have not ended, in the order of service: those admitted, then those that wait. Without the partitions'
  /// proofs.
  std::vector<JobStatus> jobs() const;
  /// Jobs of this run that ended last, newest first, without the partitions' proofs: at most `limit`, and 256.
  std::vector<JobStatus> recent(std::size_t limit) const;
  /// Admits no more jobs, and returns when those admitted have ended or the timeout has passed: whether all have.
  bool drain(std::chrono::milliseconds timeout);

 private:
  std::unique_ptr<EngineState> state_;
};

}  // namespace proofline::engine
