#include "service/status_message.hpp"

#include <algorithm>

#include "cuzk.pb.h"
#include "service/host_report.hpp"
#include "service/kind_names.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using engine::KitState;
using engine::MemoryLedger;

pb::SRSStatus::Tier tier_of(KitState state) {
  if (state == KitState::kHot) return pb::SRSStatus::HOT;
  return state == KitState::kWarm ? pb::SRSStatus::WARM : pb::SRSStatus::COLD;
}

}  // namespace

void fill_status(EngineHost& host, pb::GetStatusResponse& out) {
  const std::vector<engine::JobStatus> jobs = host.engine().jobs();
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
        static_cast<std::uint32_t>(std::ranges::count(jobs, kit.circuit_id, &engine::JobStatus::circuit_id)));
  }
  for (const filecoin::CircuitKind kind : kKinds) {
    pb::QueueStatus& queue = *out.add_queues();
    queue.set_proof_kind(std::string(kind_name(kind)));
    queue.set_pending(static_cast<std::uint32_t>(count_of(status.queued, kind)));
    queue.set_in_progress(static_cast<std::uint32_t>(count_of(status.running, kind)));
  }
  out.set_total_proofs_completed(status.done);
  out.set_total_proofs_failed(status.failed);
  out.set_uptime_seconds(static_cast<std::uint64_t>(uptime_seconds(host)));
  const MemoryLedger::PoolState pinned = host.ledger().state(engine::Pool::pinned());
  out.set_pinned_memory_bytes(pinned.reserved);
  out.set_pinned_memory_limit_bytes(pinned.budget);
}

}  // namespace proofline::service
