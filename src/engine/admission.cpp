// Which job is admitted, which partition is made next, and the memory that both take first.
#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "engine/engine_state.hpp"

namespace proofline::engine {
namespace {

/// Asks for a stop when somebody waits for memory: at a start nobody has any to give back, so the waiting has no end.
class EndlessWaiting {
 public:
  explicit EndlessWaiting(const MemoryLedger& ledger)
      : thread_([this, &ledger](std::stop_token stop) {
          // One look could see a request that is about to be served.
          for (int seen = 0; !stop.stop_requested() && seen < kLooks; std::this_thread::sleep_for(kPause)) {
            seen = ledger.state(Pool::host()).waiting > 0 ? seen + 1 : 0;
          }
          source_.request_stop();
        }) {}
  std::stop_token stop() const { return source_.get_token(); }

 private:
  static constexpr int kLooks = 20;
  static constexpr std::chrono::milliseconds kPause{10};
  std::stop_source source_;
  std::jthread thread_;  // last: it uses the other
};

std::uint64_t working_bytes(const Device& device, const r1cs::StructuredR1cs& circuit) {
  const device::PartitionNeeds needs = device.backend->needs(circuit);
  return std::max(needs.evaluation.host, needs.sums.host) + needs.finish.host;
}

/// Kept ready for the parsed vanilla proof of a critical job.
constexpr std::uint64_t kCriticalInput = std::uint64_t{8} << 20;

}  // namespace

bool goes_before(const Job& a, const Job& b) {
  return a.record.priority != b.record.priority ? a.record.priority < b.record.priority : a.record.id < b.record.id;
}

std::uint64_t EngineState::working_set_bytes(const r1cs::StructuredR1cs& circuit) const {
  std::uint64_t bytes = 0;
  for (const Device& device : devices)
    if (!device.status.is_fallback) bytes += working_bytes(device, circuit);
  return bytes;
}

void EngineState::prepare_critical(const std::string& circuit_id) {
  std::optional<ProvingKit> kit;
  {
    const EndlessWaiting waiting(parts.ledger);
    kit = parts.kits.acquire(circuit_id, Priority::kCritical, waiting.stop());
  }
  const auto refuse = [&](const std::string& what) {
    throw ImpossibleReservation("what is kept for critical jobs, up to " + circuit_id + ", needs " + what +
                                ": raise the memory budget or keep less");
  };
  if (!kit) refuse("more than the " + format_bytes(parts.ledger.state(Pool::host()).budget) + " of the budget");
  const std::uint64_t before = working_set.bytes();
  critical_working_set = std::max(critical_working_set, working_set_bytes(*kit->circuit));
  const std::uint64_t working = critical_working_set - before;
  const std::uint64_t job = kit->circuit->witness_bytes() + kCriticalInput;
  const MemoryRequest request{Pool::host(), MemoryClass::kWitness, working + job, Priority::kCritical};
  std::optional<Reservation> memory = parts.ledger.try_reserve(request);
  critical_bytes += kit->bytes + working + job;
  if (!memory) refuse(format_bytes(critical_bytes));
  if (working > 0) working_set.merge(memory->split(working, MemoryClass::kEvaluation));
  critical_memory[circuit_id] = std::move(*memory);
  critical_kits.push_back(std::move(*kit));
}

std::shared_ptr<Job> EngineState::next_to_admit(Priority lowest) const {
  if (draining) return nullptr;
  std::shared_ptr<Job> best;
  std::size_t admitted = 0;
  std::optional<Priority> unclaimed;  // the highest priority with work that nobody has claimed
  for (const auto& [id, job] : jobs) {
    if (job->is_ended()) continue;
    if (job->is_admitted() || job->being_admitted) {
      ++admitted;
      if (job->being_admitted || std::ranges::any_of(job->partitions, &PartitionState::is_queued)) {
        unclaimed = std::min(unclaimed.value_or(Priority::kLow), job->record.priority);
      }
      continue;
    }
    if (job->record.priority > lowest) continue;
    if (best == nullptr || goes_before(*job, *best)) best = job;
  }
  if (best == nullptr || (unclaimed.has_value() && *unclaimed <= best->record.priority)) return nullptr;
  const bool is_full = options.proofs_in_flight > 0 && admitted >= options.proofs_in_flight;
  if (best->record.priority == Priority::kCritical) return best;
  return is_full || admitting != nullptr ? nullptr : best;
}

bool EngineState::take_turn(const Job& job, const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  if (!changed.wait(lock, stop, [&] { return admitting == nullptr || admitting == &job; })) return false;
  admitting = &job;
  return true;
}

bool EngineState::lend_critical_memory(Job& job, const ProofTask& task) {
  const std::lock_guard lock(mutex);
  const auto kept = critical_memory.find(task.circuit_id());
  const std::uint64_t bytes = job.partition_bytes + task.bytes();
  if (job.record.priority != Priority::kCritical || job.is_ended() || kept == critical_memory.end() ||
      kept->second.bytes() < bytes) {
    return false;
  }
  job.critical_circuit = task.circuit_id();
  job.own_partition = kept->second.split(bytes);
  return true;
}

bool EngineState::reserve_memory(Job& job, const ProofTask& task, const std::stop_token& stop) {
  if (!take_turn(job, stop)) return false;
  std::uint64_t growth = 0;
  MemoryRequest request{Pool::host(), MemoryClass::kWitness, task.bytes() + job.partition_bytes, Priority::kLow};
  {
    const std::lock_guard lock(mutex);
    MemoryRequest alone = request;
    alone.bytes += critical_bytes + (critical_memory.contains(task.circuit_id()) ? 0 : job.kit.bytes);
    if (job.working_set > critical_working_set) alone.bytes += job.working_set - critical_working_set;
    parts.ledger.require_possible(alone);
    if (job.working_set > working_set.bytes()) growth = job.working_set - working_set.bytes();
    request.bytes += growth;
    if (job.record.priority == Priority::kCritical) request.priority = Priority::kCritical;
  }
  std::optional<Reservation> memory = parts.ledger.reserve(request, stop);
  if (!memory) return false;
  const std::lock_guard lock(mutex);
  if (growth > 0) working_set.merge(memory->split(growth, MemoryClass::kEvaluation));
  job.input = memory->split(task.bytes(), MemoryClass::kInput);
  job.own_partition = std::move(memory);
  return true;
}

void EngineState::admit(Job& job, std::stop_token stop) {
  // One that waits for memory here goes behind the partitions of jobs already admitted: those never wait for it.
  const Priority priority = job.record.priority == Priority::kCritical ? Priority::kCritical : Priority::kLow;
  std::shared_ptr<const ProofTask> task = parts.make_task(parts.journal.request(job.record.id));
  // Only a circuit that is kept for critical jobs is there without waiting.
  if (!critical_memory.contains(task->circuit_id()) && !take_turn(job, stop)) return;
  const Clock::time_point begin = Clock::now();
  std::optional<ProvingKit> kit = parts.kits.acquire(task->circuit_id(), priority, stop);
  if (!kit) return;
  {
    const std::lock_guard lock(mutex);
    add_stage(job, kLoadStage, seconds_between(begin, Clock::now()));
    job.witness_bytes = kit->circuit->witness_bytes();
    job.partition_bytes = job.witness_bytes + task->partition_input_bytes();
    job.working_set = working_set_bytes(*kit->circuit);
    if (devices.back().status.is_fallback) job.fallback_bytes = working_bytes(devices.back(), *kit->circuit);
    job.kit = std::move(*kit);
  }
  if (!lend_critical_memory(job, *task) && !reserve_memory(job, *task, stop)) return;
  const WallClock::time_point now = WallClock::now();
  parts.journal.started(job.record.id, task->partitions(), now);

  const std::lock_guard lock(mutex);
  if (job.is_ended()) return;
  job.partitions.resize(task->partitions());
  job.record.partitions.resize(task->partitions());
  for (std::size_t i = 0; i < job.partitions.size(); ++i) {
    if (job.record.partitions[i]) job.partitions[i].stage = PartitionStage::kDone;
  }
  job.task = std::move(task);
  job.record.state = JobState::kRunning;
  if (job.record.started == WallClock::time_point{}) job.record.started = now;
}

std::unique_ptr<PartitionWork> EngineState::claim(Priority lowest) {
  std::vector<std::shared_ptr<Job>> candidates;
  for (const auto& [id, job] : jobs) {
    if (job->is_admitted() && !job->is_ended() && job->record.priority <= lowest) candidates.push_back(job);
  }
  std::ranges::sort(candidates, [](const auto& a, const auto& b) { return goes_before(*a, *b); });
  for (const std::shared_ptr<Job>& job : candidates) {
    const auto partition = std::ranges::find_if(job->partitions, &PartitionState::is_queued);
    if (partition == job->partitions.end()) continue;
    const bool own = job->own_partition.has_value();
    std::optional<Reservation> memory;
    if (own) {
      memory = std::move(job->own_partition);
      job->own_partition.reset();
    } else {
      memory =
          parts.ledger.try_reserve({Pool::host(), MemoryClass::kWitness, job->partition_bytes, job->record.priority});
      if (!memory) continue;
    }
    partition->stage = PartitionStage::kWitness;
    const auto index = static_cast<std::size_t>(partition - job->partitions.begin());
    auto work =
        std::make_unique<PartitionWork>(*this, Attempt{job, index, partition->failures}, std::move(*memory), own);
    work->fallback = std::move(partition->fallback);
    return work;
  }
  return nullptr;
}

void EngineState::give_back(Job& job, Reservation memory) {
  if (!job.is_ended()) {
    job.own_partition = std::move(memory);
  } else if (!job.critical_circuit.empty()) {
    critical_memory[job.critical_circuit].merge(std::move(memory));
  }
}

void EngineState::forget_ended() {
  constexpr std::size_t kRecent = 256;
  std::uint64_t needed = critical_working_set;
  for (auto it = jobs.begin(); it != jobs.end();) {
    const Job& job = *it->second;
    if (job.is_ended() && it->second.use_count() == 1) {
      recent.push_back(status_of(job));
      if (recent.size() > kRecent) recent.pop_front();
      it = jobs.erase(it);
      continue;
    }
    needed = std::max(needed, job.working_set);
    ++it;
  }
  if (working_set.bytes() <= needed) return;
  working_set.shrink_to(needed);
  changed.notify_all();
}

unsigned EngineState::workers_wanted() const {
  if (options.witness_workers > 0) return options.witness_workers;
  // While a device works on one partition, the next ones must get ready; one more takes up what varies.
  const auto usual = static_cast<unsigned>(
      std::ranges::count_if(devices, [](const Device& device) { return !device.status.is_fallback; }));
  if (start_seconds <= 0) return std::min(max_workers, usual + 1);
  const double ratio = witness_seconds / start_seconds * usual;
  return std::clamp(static_cast<unsigned>(std::ceil(ratio)) + 1, 1U, max_workers);
}

}  // namespace proofline::engine
