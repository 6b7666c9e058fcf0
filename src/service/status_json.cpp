#include "service/status_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/resident_memory.hpp"
#include "service/host_report.hpp"
#include "service/kind_names.hpp"

namespace proofline::service {
namespace {

using Json = nlohmann::ordered_json;
using engine::JobRecord;
using engine::WallClock;

constexpr std::size_t kMostJobs = 200;
constexpr std::size_t kMostEnded = 20;
/// A job with more does not list them one by one.
constexpr std::size_t kMostPartitions = 256;
constexpr std::size_t kMostError = 1000;

std::string_view phase_name(DaemonPhase phase) {
  switch (phase) {
    case DaemonPhase::kStarting:
      return "starting";
    case DaemonPhase::kServing:
      return "serving";
    case DaemonPhase::kDraining:
      break;
  }
  return "draining";
}

std::string_view priority_name(engine::Priority priority) {
  switch (priority) {
    case engine::Priority::kCritical:
      return "critical";
    case engine::Priority::kHigh:
      return "high";
    case engine::Priority::kNormal:
      return "normal";
    case engine::Priority::kLow:
      break;
  }
  return "low";
}

double seconds(WallClock::duration time) {
  return std::max(0.0, std::chrono::duration<double>(time).count());
}

double unix_time(WallClock::time_point at) {
  return seconds(at.time_since_epoch());
}

Json stages_json(const std::vector<engine::StageTime>& stages) {
  Json out = Json::array();
  for (const engine::StageTime& stage : stages) out.push_back({{"stage", stage.name}, {"seconds", stage.seconds}});
  return out;
}

/// `until`: now, or the job's end. Waiting is until the job was admitted, running from then on.
Json job_json(const engine::JobStatus& job, WallClock::time_point until) {
  const JobRecord& record = job.record;
  const bool has_started = record.started != WallClock::time_point{};
  Json out = {{"id", record.request_id},
              {"number", record.id},
              {"kind", kind_name(record.kind)},
              {"circuit", job.circuit_id},
              {"priority", priority_name(record.priority)},
              {"state", engine::job_state_name(record.state)},
              {"accepted_at", unix_time(record.accepted)},
              {"waited_seconds", seconds((has_started ? record.started : until) - record.accepted)},
              {"running_seconds", has_started ? seconds(until - record.started) : 0.0},
              {"partitions_total", job.partitions_total},
              {"partitions_done", job.partitions_done}};
  if (record.deadline) out["deadline_at"] = unix_time(*record.deadline);
  return out;
}

Json live_job_json(const engine::JobStatus& job, WallClock::time_point now) {
  Json out = job_json(job, now);
  std::array<std::size_t, engine::kPartitionStages> counts{};
  Json partitions = Json::array();
  for (const engine::PartitionStage stage : job.partitions) {
    ++counts[static_cast<std::size_t>(stage)];
    if (job.partitions.size() <= kMostPartitions) partitions.push_back(engine::partition_stage_name(stage));
  }
  Json by_stage = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i)
    by_stage[std::string(engine::partition_stage_name(static_cast<engine::PartitionStage>(i)))] = counts[i];
  out["partitions_by_stage"] = std::move(by_stage);
  out["partitions"] = std::move(partitions);
  out["stages"] = stages_json(job.stages);
  return out;
}

Json ended_job_json(const engine::JobStatus& job) {
  Json out = job_json(job, job.record.finished);
  out["ended_at"] = unix_time(job.record.finished);
  out["seconds"] = seconds(job.record.finished - job.record.accepted);
  out["error"] = job.record.error.substr(0, kMostError);
  out["stages"] = stages_json(job.stages);
  return out;
}

Json memory_json(const EngineHost& host, std::size_t devices) {
  Json pools = Json::array();
  for (const PoolReport& pool : memory_pools(host, devices)) {
    Json classes = Json::object();
    for (std::size_t i = 0; i < engine::kMemoryClasses; ++i)
      classes[std::string(engine::memory_class_name(static_cast<engine::MemoryClass>(i)))] = pool.state.by_class[i];
    pools.push_back({{"pool", pool.name},
                     {"budget_bytes", pool.state.budget},
                     {"reserved_bytes", pool.state.reserved},
                     {"peak_bytes", pool.state.peak},
                     {"evictable_bytes", pool.state.evictable},
                     {"requests_waiting", pool.state.waiting},
                     {"class_bytes", std::move(classes)}});
  }
  const ResidentMemory resident = resident_memory();
  return {{"resident_bytes", resident.total},
          {"anonymous_bytes", resident.total - resident.file},
          {"resident_peak_bytes", peak_resident_bytes()},
          {"pools", std::move(pools)}};
}

Json devices_json(const engine::EngineStatus& status, const std::vector<engine::JobStatus>& jobs) {
  Json out = Json::array();
  for (const engine::DeviceStatus& device : status.devices) {
    const auto job = std::ranges::find_if(jobs, [&](const auto& one) { return one.record.id == device.job; });
    out.push_back({{"name", device.name},
                   {"lost", device.lost},
                   {"fallback", device.is_fallback},
                   {"work", device.work},
                   {"job", job == jobs.end() ? "" : job->record.request_id},
                   {"partitions", device.partitions},
                   {"failures", device.failures}});
  }
  return out;
}

Json circuits_json(const EngineHost& host) {
  Json out = Json::array();
  for (const engine::KitInfo& circuit : host.circuits()) {
    out.push_back({{"id", circuit.circuit_id},
                   {"state", engine::kit_state_name(circuit.state)},
                   {"parameter_file", circuit.parameter_file.string()},
                   {"parameter_file_bytes", circuit.parameter_bytes},
                   {"memory_bytes", circuit.circuit_bytes},
                   {"uses", circuit.uses}});
  }
  return out;
}

}  // namespace

std::string status_json(EngineHost& host, DaemonPhase phase) {
  const std::vector<engine::JobStatus> jobs = host.engine().jobs();
  const engine::EngineStatus status = host.engine().status();
  const WallClock::time_point now = WallClock::now();
  Json queues = Json::array();
  for (const filecoin::CircuitKind kind : kKinds) {
    queues.push_back({{"kind", kind_name(kind)},
                      {"queued", count_of(status.queued, kind)},
                      {"running", count_of(status.running, kind)}});
  }
  Json live = Json::array();
  for (std::size_t i = 0; i < std::min(jobs.size(), kMostJobs); ++i) live.push_back(live_job_json(jobs[i], now));
  Json ended = Json::array();
  for (const engine::JobStatus& job : host.engine().recent(kMostEnded)) ended.push_back(ended_job_json(job));
  Json stages = Json::array();
  for (const engine::StageTotal& stage : status.stages)
    stages.push_back({{"stage", stage.name}, {"count", stage.count}, {"seconds", stage.seconds}});
  const Json out = {{"version", PROOFLINE_VERSION},
                    {"state", phase_name(phase)},
                    {"time", unix_time(now)},
                    {"uptime_seconds", uptime_seconds(host)},
                    {"ended", {{"done", status.done}, {"failed", status.failed}, {"cancelled", status.cancelled}}},
                    {"queues", std::move(queues)},
                    {"jobs", std::move(live)},
                    {"jobs_left_out", jobs.size() - std::min(jobs.size(), kMostJobs)},
                    {"recent", std::move(ended)},
                    {"witness_workers", status.witness_workers},
                    {"partitions_waiting", status.partitions_waiting},
                    {"partitions_waiting_peak", status.partitions_waiting_peak},
                    {"stages", std::move(stages)},
                    {"memory", memory_json(host, status.devices.size())},
                    {"devices", devices_json(status, jobs)},
                    {"circuits", circuits_json(host)}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace proofline::service
