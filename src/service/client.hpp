#pragma once
/// Calls to a daemon, of Proofline or any other that serves cuzk.v1.ProvingEngine.
#include <memory>
#include <string>
#include <vector>

#include "engine/proof_request.hpp"
#include "service/config.hpp"
#include "service/translate.hpp"

namespace proofline::service {

struct ClientOptions {
  std::string address;           ///< HOST:PORT or unix:///PATH
  std::string token;             ///< empty: none
  std::filesystem::path tls_ca;  ///< the server's certificate must be signed by one of these; empty: no TLS
  milliseconds timeout{0};       ///< for calls that do not wait for a job; 0: 30 seconds
};

/// A call that was refused, or did not get through. The message has the address and the status's name.
class CallError : public Error {
 public:
  using Error::Error;
};

enum class JobOutcome { kUnknown, kDone, kFailed, kCancelled, kTimeout };
/// "done", "failed", "cancelled", "timeout", "unknown"
std::string_view outcome_name(JobOutcome outcome);

struct JobResult {
  std::string job_id;
  JobOutcome outcome = JobOutcome::kUnknown;
  engine::Bytes proof;
  std::string error;
  std::uint64_t queue_wait_ms = 0, synthesis_ms = 0, gpu_compute_ms = 0, total_ms = 0;
};

struct SubmittedJob {
  std::string job_id;
  std::uint32_t queue_position = 0;
};

struct DaemonStatus {
  struct Device {
    std::string name, job_id, kind;
  };
  struct Circuit {
    std::string id, tier;  ///< "hot", "warm" or "cold"
    std::uint64_t bytes = 0;
    std::uint32_t jobs = 0;
  };
  struct Queue {
    std::string kind;
    std::uint32_t pending = 0, in_progress = 0;
  };
  std::vector<Device> devices;
  std::vector<Circuit> circuits;
  std::vector<Queue> queues;
  std::uint64_t done = 0, failed = 0, uptime_seconds = 0;
};

/// Each function throws CallError.
class Client {
 public:
  /// Connects at the first call. Throws InputError for an address that is none, IoError when tls_ca cannot be read.
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  SubmittedJob submit(const Submission& submission);
  /// Waits for the job; timeout 0: for ever.
  JobResult prove(const Submission& submission, milliseconds timeout);
  JobResult await(const std::string& job_id, milliseconds timeout);
  bool cancel(const std::string& job_id);
  DaemonStatus status();
  /// The document of /status (docs/monitor.md); empty when the daemon is of another make and has none.
  std::string status_json();
  std::string metrics();
  /// The milliseconds that it took; nothing when it was loaded already.
  std::optional<std::uint64_t> preload(const std::string& circuit_id);
  /// The bytes freed; nothing when it was not loaded.
  std::optional<std::uint64_t> evict(const std::string& circuit_id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::service
