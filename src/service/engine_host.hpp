#pragma once
/// An engine with all that it stands on, made from a configuration. What serves clients, over whatever protocol, shares
/// one.
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "engine/engine.hpp"
#include "engine/parameter_store.hpp"
#include "service/config.hpp"
#include "service/device_backends.hpp"
#include "service/log.hpp"
#include "service/receive_memory.hpp"

namespace proofline::service {

/// The circuit's parameters are not there.
class MissingParameters : public InputError {
 public:
  using InputError::InputError;
};

/// The circuit is not one of srs.circuits.
class CircuitNotServed : public InputError {
 public:
  using InputError::InputError;
};

/// Upper bounds of the buckets in which jobs are counted by the seconds that they took.
inline constexpr std::array<double, 15> kJobSeconds = {0.1, 0.5, 1,   2.5,  5,    10,   30,  60,
                                                       120, 300, 600, 1200, 1800, 3600, 7200};

/// How jobs of a kind ended in this run, and how long the good ones took from acceptance.
struct KindCounts {
  std::uint64_t done = 0, failed = 0, cancelled = 0, timed_out = 0;
  double seconds = 0;
  std::array<std::uint64_t, kJobSeconds.size() + 1> by_seconds{};  ///< good ones; the last is of longer ones
};

/// The parts of an engine that the configuration does not make. Tests have others.
struct HostParts {
  std::vector<std::unique_ptr<device::Backend>> backends;  ///< empty: as the configuration says
  std::unique_ptr<device::Backend> fallback;               ///< beside `backends`; null: none
  engine::TaskMaker make_task;                             ///< empty: engine::make_task
  engine::KitSource* kits = nullptr;                       ///< null: the parameter store
};

/// May be used from several threads.
class EngineHost {
 public:
  /// Takes up the journal's unfinished jobs. Throws IoError when state_dir or the journal cannot be used, for example
  /// because another daemon has it, and what Engine throws. `log` must outlive it.
  EngineHost(const Config& config, const Log& log, HostParts parts = {});
  EngineHost(const EngineHost&) = delete;
  EngineHost& operator=(const EngineHost&) = delete;
  ~EngineHost();

  engine::Engine& engine() { return *engine_; }
  engine::ParameterStore& store() { return *store_; }
  engine::Journal& journal() { return *journal_; }
  engine::MemoryLedger& ledger() { return ledger_; }
  const engine::MemoryLedger& ledger() const { return ledger_; }
  const engine::EventRecorder& recorder() const { return recorder_; }
  const Log& log() const { return log_; }
  /// What of the memory budget is kept for receiving; the ledger does not have it.
  const ReceiveMemory& receive_memory() const { return receive_; }
  std::chrono::steady_clock::time_point started() const { return started_; }
  std::map<filecoin::CircuitKind, KindCounts> counts() const;

  /// The circuits that the configuration names, and all whose parameters are there.
  std::vector<engine::KitInfo> circuits() const;

  /// Throws CircuitNotServed or MissingParameters when no job of the circuit can be done.
  void require_circuit(const std::string& circuit_id) const;

 private:
  std::shared_ptr<const engine::ProofTask> checked_task(engine::ProofRequest request) const;
  void job_ended(const engine::JobRecord& record);

  const Log& log_;
  std::chrono::steady_clock::time_point started_;
  std::vector<std::string> circuits_;
  bool own_kits_;
  engine::TaskMaker make_task_;
  std::vector<device::Gpu> gpus_;
  ReceiveMemory receive_;
  Executor exec_, witness_exec_, finish_exec_;  // a stage never waits for threads that another has
  engine::EventRecorder recorder_;
  engine::MemoryLedger ledger_;
  DeviceMemory device_memory_;  // before whatever owns a backend
  std::unique_ptr<engine::Journal> journal_;
  std::unique_ptr<engine::ParameterStore> store_;
  mutable std::mutex mutex_;
  std::map<filecoin::CircuitKind, KindCounts> counts_;
  std::unique_ptr<engine::Engine> engine_;  // last: it uses all the others
};

/// Logs for each circuit that is served whether its parameters are there; of all circuits, when all are served, those
/// of 32 and 64 GiB and whatever else is there. Parameters are missing, of another version, damaged, or present.
void report_parameters(const Config& config, EngineHost& host);

/// Bytes of host memory that the configuration allows. Throws InputError when nothing is left.
std::uint64_t memory_budget(const MemoryConfig& config);

}  // namespace proofline::service
