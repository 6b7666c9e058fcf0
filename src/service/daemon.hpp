#pragma once
/// The daemon's life: serve, reload, drain.
#include <functional>

#include "service/config.hpp"

namespace proofline::service {

/// Serves until SIGTERM or SIGINT, then drains: no new job is taken, those in progress end within
/// daemon.drain_timeout or stay in the journal for the next start, and the process ends within ten seconds more,
/// whatever a device does. A second signal ends the waiting. SIGHUP calls `load` again and takes over what can be; what
/// it throws is logged, and everything stays. Call it from the main thread before there are others: it blocks these
/// signals. Throws what EngineHost and Server throw.
void run_daemon(const std::function<LoadedConfig()>& load);

}  // namespace proofline::service
