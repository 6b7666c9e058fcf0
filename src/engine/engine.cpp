#include "engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/engine_state.hpp"
#include "engine/request_id.hpp"
#include "filecoin/circuit_kind.hpp"

namespace proofline::engine {
namespace {

Priority default_priority(filecoin::CircuitKind kind) {
  switch (kind) {
    case filecoin::CircuitKind::kWinningPost:
      return Priority::kCritical;
    case filecoin::CircuitKind::kWindowPost:
      return Priority::kHigh;
    case filecoin::CircuitKind::kPorep:
    case filecoin::CircuitKind::kUpdate:
      break;
  }
  return Priority::kNormal;
}

JobStatus status_of(const JobRecord& record) {
  JobStatus out;
  out.record = record;
  out.partitions_total = record.partitions.size();
  out.partitions_done = static_cast<std::size_t>(
      std::ranges::count_if(record.partitions, [](const auto& proof) { return proof.has_value(); }));
  return out;
}

JobStatus without_proofs(JobStatus status) {
  status.record.partitions.clear();
  return status;
}

}  // namespace

std::string_view partition_stage_name(PartitionStage stage) {
  switch (stage) {
    case PartitionStage::kQueued:
      return "queued";
    case PartitionStage::kWitness:
      return "witness";
    case PartitionStage::kWaiting:
      return "waiting";
    case PartitionStage::kDevice:
      return "device";
    case PartitionStage::kFinish:
      return "finish";
    case PartitionStage::kDone:
      return "done";
  }
  return "unknown";
}

Bytes JobStatus::proof() const {
  Bytes out;
  if (record.state != JobState::kDone) return out;
  std::vector<groth16::Proof> proofs;
  for (const std::optional<groth16::Proof>& partition : record.partitions) proofs.push_back(partition.value());
  return groth16::proofs_to_bytes(proofs);
}

JobStatus EngineState::status_of(const Job& job) const {
  JobStatus out = engine::status_of(job.record);
  out.stages = job.stages;
  if (!job.is_admitted()) return out;
  out.circuit_id = job.task->circuit_id();
  if (!job.is_ended())
    for (const PartitionState& partition : job.partitions) out.partitions.push_back(partition.stage);
  return out;
}

EngineState::EngineState(EngineParts the_parts, EngineOptions the_options)
    : parts(std::move(the_parts)), options(std::move(the_options)) {
  if (parts.backends.empty()) throw InputError("engine: there is no backend");
  const auto add_device = [&](std::unique_ptr<device::Backend> backend, bool is_fallback) {
    Device device;
    device.status.name = backend->name();
    device.status.is_fallback = is_fallback;
    device.backend = std::move(backend);
    devices.push_back(std::move(device));
  };
  for (std::unique_ptr<device::Backend>& backend : parts.backends) add_device(std::move(backend), false);
  if (parts.fallback != nullptr) add_device(std::move(parts.fallback), true);
  for (const auto& [name, kinds] : options.devices_for_kinds) {
    const auto device = std::ranges::find(devices, name, [](const Device& one) { return one.status.name; });
    if (device == devices.end()) throw InputError("engine: there is no device \"" + name + "\" to keep for some kinds");
    device->kinds = kinds;
  }
  for (const std::string& circuit : options.critical_circuits) prepare_critical(circuit);
  for (JobRecord& record : parts.journal.unfinished()) {
    auto job = std::make_shared<Job>();
    job->record = std::move(record);
    // Killed between its last proof and its end.
    const auto& proofs = job->record.partitions;
    const bool is_whole =
        !proofs.empty() && std::ranges::all_of(proofs, [](const auto& one) { return one.has_value(); });
    if (is_whole) {
      parts.journal.finished(job->record.id, JobState::kDone, "", WallClock::now());
      continue;
    }
    jobs.emplace(job->record.id, std::move(job));
  }

  max_workers = options.witness_workers > 0 ? options.witness_workers : std::max(2U, parts.witness_exec.threads());
  for (unsigned i = 0; i < max_workers; ++i)
    threads.emplace_back([this, track = "witness worker " + std::to_string(i)](std::stop_token stop) {
      witness_worker(stop, track, Priority::kLow);
    });
  threads.emplace_back(
      [this](std::stop_token stop) { witness_worker(stop, "critical witness worker", Priority::kCritical); });
  for (std::size_t d = 0; d < devices.size(); ++d) {
    threads.emplace_back([this, d](std::stop_token stop) { device_worker(stop, d); });
    threads.emplace_back([this, d](std::stop_token stop) { finisher(stop, d); });
  }
  threads.emplace_back([this](std::stop_token stop) { watch_deadlines(stop); });
}

EngineState::~EngineState() {
  for (std::jthread& thread : threads) thread.request_stop();
  {
    const std::lock_guard lock(mutex);
    changed.notify_all();
  }
  threads.clear();
  ready.clear();
  for (Device& device : devices) device.started.reset();
}

Engine::Engine(EngineParts parts, EngineOptions options)
    : state_(std::make_unique<EngineState>(std::move(parts), std::move(options))) {}

Engine::~Engine() = default;

JobId Engine::submit(ProofRequest request, SubmitOptions options) {
  JobRecord record;
  record.request_id = options.request_id.empty() ? random_request_id() : options.request_id;
  record.digest = request_digest(request);
  record.kind = request.kind;
  record.priority = options.priority.value_or(default_priority(request.kind));
  record.accepted = WallClock::now();
  if (options.timeout) record.deadline = record.accepted + *options.timeout;
  record.is_kept = options.is_kept;

  const auto earlier = [&] {
    std::optional<JobRecord> same_id = state_->parts.journal.find(record.request_id);
    if (same_id && same_id->digest != record.digest)
      throw RequestIdTaken("request_id \"" + record.request_id + "\": belongs to another request");
    return same_id;
  };
  const auto is_joined = [](const std::optional<JobRecord>& job) {
    return job && (!is_final(job->state) || job->state == JobState::kDone);
  };
  if (!is_joined(earlier())) state_->parts.make_task(request);

  const std::lock_guard lock(state_->mutex);
  const std::optional<JobRecord> same = earlier();
  if (is_joined(same)) {
    if (options.is_kept && !same->is_kept) state_->keep(same->id);
    return same->id;
  }
  if (state_->draining) throw ShuttingDown("the engine is shutting down and takes no more jobs");
  if (same) state_->parts.journal.forget(same->id);
  record.id = state_->parts.journal.accept(record, request);
  auto job = std::make_shared<Job>();
  job->record = std::move(record);
  const JobId id = job->record.id;
  state_->jobs.emplace(id, std::move(job));
  state_->changed.notify_all();
  return id;
}

JobStatus Engine::status(JobId id) const {
  {
    const std::lock_guard lock(state_->mutex);
    if (const auto job = state_->jobs.find(id); job != state_->jobs.end()) return state_->status_of(*job->second);
    const auto recent = std::ranges::find(state_->recent, id, [](const JobStatus& one) { return one.record.id; });
    if (recent != state_->recent.end()) return *recent;
  }
  const std::optional<JobRecord> record = state_->parts.journal.find(id);
  if (!record) throw InputError("there is no job " + std::to_string(id));
  return status_of(*record);
}

JobStatus Engine::await(JobId id, std::optional<std::chrono::milliseconds> timeout) {
  {
    std::unique_lock lock(state_->mutex);
    const auto has_ended = [&] {
      const auto job = state_->jobs.find(id);
      return job == state_->jobs.end() || job->second->is_ended();
    };
    if (timeout) {
      state_->changed.wait_for(lock, *timeout, has_ended);
    } else {
      state_->changed.wait(lock, has_ended);
    }
  }
  return status(id);
}

bool Engine::cancel(JobId id) {
  const std::lock_guard lock(state_->mutex);
  const auto job = state_->jobs.find(id);
  if (job == state_->jobs.end() || job->second->is_ended()) return false;
  state_->end_job(*job->second, JobState::kCancelled, "cancelled");
  return true;
}

EngineStatus Engine::status() const {
  const std::lock_guard lock(state_->mutex);
  EngineStatus out;
  for (const auto& [id, job] : state_->jobs) {
    if (job->is_ended()) continue;
    ++(job->is_admitted() ? out.running : out.queued)[job->record.kind];
  }
  out.partitions_waiting = state_->ready.size();
  out.partitions_waiting_peak = state_->ready_peak;
  out.witness_workers = state_->workers_wanted();
  out.done = state_->done;
  out.failed = state_->failed;
  out.cancelled = state_->cancelled;
  for (const Device& device : state_->devices) out.devices.push_back(device.status);
  out.stages = state_->stage_totals;
  return out;
}

std::vector<JobStatus> Engine::jobs() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<const Job*> live;
  for (const auto& [id, job] : state_->jobs) {
    if (!job->is_ended()) live.push_back(job.get());
  }
  std::ranges::sort(live, [](const Job* a, const Job* b) {
    if (a->is_admitted() != b->is_admitted()) return a->is_admitted();
    return goes_before(*a, *b);
  });
  std::vector<JobStatus> out;
  out.reserve(live.size());
  for (const Job* job : live) out.push_back(without_proofs(state_->status_of(*job)));
  return out;
}

std::vector<JobStatus> Engine::recent(std::size_t limit) const {
  std::vector<JobStatus> out;
  {
    const std::lock_guard lock(state_->mutex);
    // Jobs whose steps are still stopping are not among `recent` yet.
    for (const auto& [id, job] : state_->jobs) {
      if (job->is_ended()) out.push_back(state_->status_of(*job));
    }
    out.insert(out.end(), state_->recent.begin(), state_->recent.end());
  }
  std::ranges::stable_sort(out, std::greater<>(), [](const JobStatus& one) { return one.record.finished; });
  out.resize(std::min(limit, out.size()));
  for (JobStatus& one : out) one = without_proofs(std::move(one));
  return out;
}

bool Engine::drain(std::chrono::milliseconds timeout) {
  std::unique_lock lock(state_->mutex);
  state_->draining = true;
  return state_->changed.wait_for(lock, timeout, [&] {
    return std::ranges::none_of(state_->jobs, [](const auto& entry) {
      return !entry.second->is_ended() && (entry.second->is_admitted() || entry.second->being_admitted);
    });
  });
}

}  // namespace proofline::engine
