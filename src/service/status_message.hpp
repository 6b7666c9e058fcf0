#pragma once
/// What a host does now, for GetStatus and GetMetrics.
#include <string>

#include "service/engine_host.hpp"

namespace cuzk::v1 {
class GetStatusResponse;
}

namespace proofline::service {

void fill_status(EngineHost& host, cuzk::v1::GetStatusResponse& out);

/// Prometheus' text format, in base units: proofline_jobs, proofline_jobs_ended_total, proofline_job_seconds_total,
/// proofline_partitions_waiting, proofline_memory_bytes, proofline_memory_budget_bytes, proofline_device_busy,
/// proofline_device_lost, proofline_device_partitions_total, proofline_device_failures_total, proofline_uptime_seconds.
std::string metrics_text(EngineHost& host);

}  // namespace proofline::service
