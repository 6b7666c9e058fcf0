#pragma once
/// The calls of cuzk.v1.ProvingEngine.
#include <atomic>
#include <memory>
#include <semaphore>

#include "service/client_limits.hpp"
#include "service/engine_host.hpp"
#include "service/job_claims.hpp"
#include "service/tokens.hpp"

namespace grpc {
class Service;
}

namespace proofline::service {

/// What calls share, and what changes while they are served.
struct CallState {
  explicit CallState(EngineHost& the_host, const DaemonConfig& daemon);

  EngineHost& host;
  JobClaims claims;
  ClientLimits limits;
  Tokens tokens;
  std::counting_semaphore<> uploads;  ///< requests being read and checked
  const milliseconds upload_timeout;  ///< for the reading of one
  const unsigned max_calls;           ///< that wait for a job
  std::atomic<unsigned> waiting_calls = 0;
  std::atomic<unsigned> max_queue = 0;
  std::atomic<std::int64_t> job_timeout_ms = 0;
  std::atomic<bool> draining = false;  ///< no new jobs
  std::atomic<bool> stopping = false;  ///< calls that wait end
};

/// `state` must outlive it.
std::unique_ptr<grpc::Service> make_proving_service(CallState& state);

}  // namespace proofline::service
