#include "service/status_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cuzk.pb.h"
#include "service/kind_names.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using engine::KitState;
using engine::MemoryLedger;

std::size_t count_of(const std::map<filecoin::CircuitKind, std::size_t>& counts, filecoin::CircuitKind kind) {
  const auto found = counts.find(kind);
  return found == counts.end() ? 0 : found->second;
}

std::uint64_t uptime(const EngineHost& host) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - host.started()).count());
}

pb::SRSStatus::Tier tier_of(KitState state) {
  if (state == KitState::kHot) return pb::SRSStatus::HOT;
  return state == KitState::kWarm ? pb::SRSStatus::WARM : pb::SRSStatus::COLD;
}

/// "porep_c2"
std::string label(filecoin::CircuitKind kind) {
  std::string out(kind_name(kind));
  std::ranges::replace(out, '-', '_');
  return out;
}

class Text {
 public:
  void series(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(out_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    name_ = name;
  }
  template <class Value>
  void value(std::string_view labels, Value value) {
    fmt::format_to(std::back_inserter(out_), "{}{}{}{} {}\n", name_, labels.empty() ? "" : "{", labels,
                   labels.empty() ? "" : "}", value);
  }
  std::string result() { return std::move(out_); }

 private:
  std::string name_, out_;
};

}  // namespace

void fill_status(EngineHost& host, pb::GetStatusResponse& out) {
  const std::vector<engine::LiveJob> jobs = host.engine().jobs();
  const engine::EngineStatus status = host.engine().status();
  for (std::size_t i = 0; i < status.devices.size(); ++i) {
    const engine::DeviceStatus& device = status.devices[i];
    pb::GPUStatus& gpu = *out.add_gpus();
    gpu.set_ordinal(static_cast<std::uint32_t>(i));
    gpu.set_name(device.lost ? device.name + " (does not answer)" : device.name);
    const auto job = std::ranges::find_if(jobs, [&](const auto& one) { return one.record.id == device.job; });
    if (job == jobs.end()) continue;
    gpu.set_current_job_id(job->record.request_id);
    gpu.set_current_proof_kind(std::string(kind_name(job->record.kind)));
  }
  for (const engine::KitInfo& kit : host.store().list()) {
    if (kit.state == KitState::kMissing) continue;
    pb::SRSStatus& srs = *out.add_loaded_srs();
    srs.set_circuit_id(kit.circuit_id);
    srs.set_tier(tier_of(kit.state));
    srs.set_size_bytes(kit.parameter_bytes);
    srs.set_ref_count(
        static_cast<std::uint32_t>(std::ranges::count(jobs, kit.circuit_id, &engine::LiveJob::circuit_id)));
  }
  for (const filecoin::CircuitKind kind : kKinds) {
    pb::QueueStatus& queue = *out.add_queues();
    queue.set_proof_kind(std::string(kind_name(kind)));
    queue.set_pending(static_cast<std::uint32_t>(count_of(status.queued, kind)));
    queue.set_in_progress(static_cast<std::uint32_t>(count_of(status.running, kind)));
  }
  out.set_total_proofs_completed(status.done);
  out.set_total_proofs_failed(status.failed);
  out.set_uptime_seconds(uptime(host));
  const MemoryLedger::PoolState pinned = host.ledger().state(engine::Pool::pinned());
  out.set_pinned_memory_bytes(pinned.reserved);
  out.set_pinned_memory_limit_bytes(pinned.budget);
}

std::string metrics_text(EngineHost& host) {
  const engine::EngineStatus status = host.engine().status();
  const std::map<filecoin::CircuitKind, KindCounts> counts = host.counts();
  const auto kind_counts = [&](filecoin::CircuitKind kind) {
    const auto found = counts.find(kind);
    return found == counts.end() ? KindCounts{} : found->second;
  };
  Text text;
  text.series("proofline_uptime_seconds", "gauge", "Since the daemon started.");
  text.value("", uptime(host));
  text.series("proofline_jobs", "gauge", "Jobs that have not ended.");
  for (const filecoin::CircuitKind kind : kKinds) {
    text.value(fmt::format("kind=\"{}\",state=\"queued\"", label(kind)), count_of(status.queued, kind));
    text.value(fmt::format("kind=\"{}\",state=\"running\"", label(kind)), count_of(status.running, kind));
  }
  text.series("proofline_jobs_ended_total", "counter", "Jobs of this run that have ended.");
  for (const filecoin::CircuitKind kind : kKinds) {
    const KindCounts ended = kind_counts(kind);
    text.value(fmt::format("kind=\"{}\",outcome=\"done\"", label(kind)), ended.done);
    text.value(fmt::format("kind=\"{}\",outcome=\"failed\"", label(kind)), ended.failed);
    text.value(fmt::format("kind=\"{}\",outcome=\"cancelled\"", label(kind)), ended.cancelled);
  }
  text.series("proofline_job_seconds_total", "counter", "From acceptance to proof, summed over jobs that are done.");
  for (const filecoin::CircuitKind kind : kKinds)
    text.value(fmt::format("kind=\"{}\"", label(kind)), kind_counts(kind).seconds);
  text.series("proofline_partitions_waiting", "gauge", "Partitions with a witness that wait for a device.");
  text.value("", status.partitions_waiting);

  const MemoryLedger::PoolState memory = host.ledger().state(engine::Pool::host());
  text.series("proofline_memory_budget_bytes", "gauge", "Host memory that may be reserved.");
  text.value("", memory.budget);
  text.series("proofline_memory_bytes", "gauge", "Host memory that is reserved, by what it is for.");
  for (std::size_t i = 0; i < engine::kMemoryClasses; ++i) {
    const auto memory_class = static_cast<engine::MemoryClass>(i);
    text.value(fmt::format("class=\"{}\"", engine::memory_class_name(memory_class)), memory.by_class[i]);
  }

  const auto devices = [&](std::string_view name, std::string_view type, std::string_view help, auto value) {
    text.series(name, type, help);
    for (const engine::DeviceStatus& device : status.devices)
      text.value(fmt::format("device=\"{}\"", device.name), value(device));
  };
  devices("proofline_device_busy", "gauge", "1 while it works on a partition.",
          [](const auto& device) { return device.work.empty() ? 0 : 1; });
  devices("proofline_device_lost", "gauge", "1 while it does not answer.",
          [](const auto& device) { return device.lost ? 1 : 0; });
  devices("proofline_device_partitions_total", "counter", "Proofs made.",
          [](const auto& device) { return device.partitions; });
  devices("proofline_device_failures_total", "counter", "Failures.",
          [](const auto& device) { return device.failures; });
  return text.result();
}

}  // namespace proofline::service
