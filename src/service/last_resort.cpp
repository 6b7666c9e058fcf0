#include "service/last_resort.hpp"

#include <cstdlib>

namespace proofline::service {

LastResort::LastResort(std::chrono::milliseconds time, const Log& log)
    : thread_([this, time, &log](std::stop_token stop) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, time, [] { return false; });
        if (stop.stop_requested()) return;
        log.warn("a step did not stop in time; its job stays in the journal");
        std::_Exit(0);
      }) {}

}  // namespace proofline::service
