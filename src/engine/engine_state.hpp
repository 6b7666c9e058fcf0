#pragma once
/// What the engine's parts share. One lock guards all of it; under the lock no work is done, but the journal written.
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

#include "engine/engine.hpp"

namespace proofline::engine {

struct PartitionState {
  PartitionStage stage = PartitionStage::kQueued;
  unsigned failures = 0;  ///< also the number of the attempt
  const device::Backend* failed_on = nullptr;
  /// Working memory of the fallback device, if that makes the next attempt: one for all partitions that go there.
  std::shared_ptr<Reservation> fallback;

  bool is_queued() const { return stage == PartitionStage::kQueued; }
  bool is_done() const { return stage == PartitionStage::kDone; }
  bool is_claimed() const { return !is_queued() && !is_done(); }
};

/// A job in memory.
struct Job {
  JobRecord record;
  std::stop_source stop;
  bool being_admitted = false;

  // From admission on. Read without the lock by who works on a partition.
  std::shared_ptr<const ProofTask> task;
  ProvingKit kit;
  std::uint64_t witness_bytes = 0;    ///< of a partition
  std::uint64_t partition_bytes = 0;  ///< of a partition: witness and parsed inputs
  std::uint64_t working_set = 0;      ///< that the devices need for it; counts from before it is asked for
  std::uint64_t fallback_bytes = 0;   ///< that the fallback device needs for it
  Reservation input;                  ///< of the task
  std::string critical_circuit;       ///< own_partition is lent from critical_memory of this circuit; empty: it is not

  /// Memory for one partition: whatever others do, this job goes on.
  std::optional<Reservation> own_partition;
  std::vector<PartitionState> partitions;
  std::vector<StageTime> stages;

  bool is_admitted() const { return task != nullptr; }
  bool is_ended() const { return is_final(record.state); }
  std::string subject(std::size_t partition) const {
    return "job " + std::to_string(record.id) + ", partition " + std::to_string(partition);
  }
};

/// Which try at which partition.
struct Attempt {
  std::shared_ptr<Job> job;
  std::size_t partition = 0;
  unsigned number = 0;
};

/// A step in progress on a device that must end in time.
struct StepWatch {
  Attempt attempt;
  std::size_t device;
  std::string step;
  std::stop_source stop;
  Clock::time_point deadline;
  bool asked_to_stop = false;
};

/// A partition on its way. Gives its memory back, to its job first, when it is destroyed.
struct PartitionWork {
  PartitionWork(EngineState& state, Attempt which, Reservation bytes, bool own)
      : engine(state), attempt(std::move(which)), memory(std::move(bytes)), is_own(own) {}
  PartitionWork(const PartitionWork&) = delete;
  PartitionWork& operator=(const PartitionWork&) = delete;
  ~PartitionWork();

  Job& job() const { return *attempt.job; }
  std::string subject() const { return job().subject(attempt.partition); }

  EngineState& engine;
  Attempt attempt;
  Reservation memory;
  bool is_own;                            ///< the memory is the job's own_partition
  std::shared_ptr<Reservation> fallback;  ///< working memory of the fallback device, if that takes it
  r1cs::CompactWitness witness;
  std::unique_ptr<device::Pending> pending;
};

struct Device {
  std::unique_ptr<device::Backend> backend;
  DeviceStatus status;
  std::vector<filecoin::CircuitKind> kinds;  ///< empty: all
  std::unique_ptr<PartitionWork> started;    ///< waits for a finisher
};

struct EngineState {
  EngineState(EngineParts the_parts, EngineOptions the_options);
  ~EngineState();

  EngineParts parts;
  EngineOptions options;

  mutable std::mutex mutex;
  std::condition_variable_any changed;
  bool draining = false;
  std::map<JobId, std::shared_ptr<Job>> jobs;       ///< ended ones until nobody works on them any more
  std::deque<JobStatus> recent;                     ///< of jobs that have ended
  std::list<std::unique_ptr<PartitionWork>> ready;  ///< witnesses that wait for a device, each held by its worker
  std::vector<Device> devices;
  Reservation working_set;  ///< of all devices, for the largest need of a job
  std::vector<ProvingKit> critical_kits;
  std::map<std::string, Reservation> critical_memory;  ///< by circuit: for a job of one partition
  std::weak_ptr<Reservation> fallback_memory;          ///< while a partition goes to the fallback device
  std::uint64_t critical_working_set = 0;
  std::uint64_t critical_bytes = 0;  ///< all that is kept for critical jobs
  unsigned max_workers = 1;
  unsigned busy_workers = 0;
  const Job* admitting = nullptr;                 ///< the one that may wait in the ledger
  double witness_seconds = 0, start_seconds = 0;  ///< running means
  std::size_t ready_peak = 0;
  std::uint64_t done = 0, failed = 0, cancelled = 0;
  std::vector<StageTotal> stage_totals;
  std::list<StepWatch> watches;
  std::vector<std::jthread> threads;  ///< last: they end first

  // admission.cpp
  void prepare_critical(const std::string& circuit_id);
  std::uint64_t working_set_bytes(const r1cs::StructuredR1cs& circuit) const;
  std::shared_ptr<Job> next_to_admit(Priority lowest) const;
  /// Without the lock. Returns without having admitted the job when `stop` is requested.
  void admit(Job& job, std::stop_token stop);
  /// Without the lock: waits until the job is the one that may wait in the ledger. False when `stop` is requested.
  bool take_turn(const Job& job, const std::stop_token& stop);
  /// Without the lock: lends a critical job the memory kept for its circuit. Whether there was enough.
  bool lend_critical_memory(Job& job, const ProofTask& task);
  /// Without the lock: reserves what the job needs, in its turn. False when `stop` is requested. Throws
  /// ImpossibleReservation when it would not fit even alone.
  bool reserve_memory(Job& job, const ProofTask& task, const std::stop_token& stop);
  /// With the lock held.
  std::unique_ptr<PartitionWork> claim(Priority lowest);
  unsigned workers_wanted() const;
  /// With the lock held: memory for one partition goes back to its job, or where that came from.
  void give_back(Job& job, Reservation memory);
  /// With the lock held: forgets jobs that have ended, and gives back what of the working set only they needed.
  void forget_ended();

  // fallback.cpp, all with the lock held.
  /// Whether a device that is neither lost nor the fallback takes the kind.
  bool has_device(filecoin::CircuitKind kind) const;
  /// Whether there is a fallback device whose working memory for the job fits the budget.
  bool has_fallback(const Job& job) const;
  /// Working memory of the fallback device, enough for a partition of the job: what others hold already, and what is
  /// free now. Null when that is too little.
  std::shared_ptr<Reservation> take_fallback_memory(const Job& job);
  /// Witnesses that wait for devices which are all lost go to the fallback, as far as there is memory.
  void divert_to_fallback();

  // stages.cpp: what the threads run. `lock` is held on entry and on return.
  void run_admission(std::unique_lock<std::mutex>& lock, std::shared_ptr<Job> job, const std::string& track,
                     const std::stop_token& stop);
  void run_witness(std::unique_lock<std::mutex>& lock, std::unique_ptr<PartitionWork> work, const std::string& track,
                   const std::stop_token& stop);
  void witness_worker(std::stop_token stop, const std::string& track, Priority lowest);
  void device_worker(std::stop_token stop, std::size_t device);
  void finisher(std::stop_token stop, std::size_t device);

  // outcome.cpp
  void partition_done(const Attempt& attempt, std::size_t device, const groth16::Proof& proof);
  /// The job fails.
  void partition_failed(const Attempt& attempt, const std::string& reason);
  /// The device failed: the partition is tried once more, on another device where there is one.
  void device_failed(const Attempt& attempt, std::size_t device, const std::string& reason);
  /// With the lock held: the job ends, its steps are asked to stop. Nothing when it has ended. When the journal cannot
  /// be written, the job's error says so too.
  void end_job(Job& job, JobState state, const std::string& error);
  /// With the lock held: of a job that has ended.
  void release_memory(Job& job);
  /// With the lock held: sets is_kept.
  void keep(JobId id);
  /// With the lock held.
  void add_stage(Job& job, std::string_view name, double seconds);
  /// With the lock held: nothing when the attempt was given up.
  void set_stage(const Attempt& attempt, PartitionStage stage);
  /// Ends jobs whose time is over, and steps that take too long.
  void watch_deadlines(std::stop_token stop);
  JobStatus status_of(const Job& job) const;
};

/// Critical before high before normal before low, then the older.
bool goes_before(const Job& a, const Job& b);

/// Whether the device is meant for the kind.
bool takes_kind(const Device& device, filecoin::CircuitKind kind);

}  // namespace proofline::engine
