#pragma once
/// What a host does and has done, for Prometheus.
#include <string>

#include "service/engine_host.hpp"

namespace proofline::service {

/// Prometheus' text format, in base units: seconds and bytes. Every series is in the table of docs/monitor.md.
std::string metrics_text(EngineHost& host);

}  // namespace proofline::service
