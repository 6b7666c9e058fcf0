#pragma once
/// All that a daemon does now, as one JSON document (docs/monitor.md): for /status and for `proofline top`.
#include <string>

#include "service/engine_host.hpp"

namespace proofline::service {

enum class DaemonPhase { kStarting, kServing, kDraining };

/// Jobs beyond the first 200 and ended ones beyond the last 20 are left out; the queues count all. Of an error the
/// first 1000 characters are told.
std::string status_json(EngineHost& host, DaemonPhase phase);

}  // namespace proofline::service
