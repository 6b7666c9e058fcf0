#pragma once
/// The end of a process that does not come to its end.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "service/log.hpp"

namespace proofline::service {

/// Ends the process with status 0 when it still lives after that time: what is not done is in the journal. `log` must
/// outlive it.
class LastResort {
 public:
  LastResort(std::chrono::milliseconds time, const Log& log);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace proofline::service
