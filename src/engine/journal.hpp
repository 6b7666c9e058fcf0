#pragma once
/// What the engine must not forget: accepted jobs, the proofs of finished partitions, and results. In SQLite; each
/// function's effect is on the disk when it returns.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/memory_ledger.hpp"
#include "engine/proof_request.hpp"
#include "groth16/proof.hpp"

namespace proofline::engine {

using JobId = std::uint64_t;
using WallClock = std::chrono::system_clock;

enum class JobState { kQueued, kRunning, kDone, kFailed, kCancelled, kTimedOut };
inline constexpr bool is_final(JobState state) {
  return state >= JobState::kDone;
}
/// "queued", "running", "done", "failed", "cancelled", "timed out"
std::string_view job_state_name(JobState state);

/// A job without its payload.
struct JobRecord {
  JobId id = 0;
  std::string request_id;  ///< the client's, unique among records
  filecoin::Bytes32 digest{};
  filecoin::CircuitKind kind{};
  Priority priority = Priority::kNormal;
  JobState state = JobState::kQueued;
  WallClock::time_point accepted{}, started{}, finished{};  ///< the epoch where it has not happened
  std::optional<WallClock::time_point> deadline;
  std::string error;                                      ///< why it failed
  std::vector<std::optional<groth16::Proof>> partitions;  ///< finished ones; empty until the job has been started
};

/// May be used from several threads.
class Journal {
 public:
  /// Opens or makes the file; an empty path keeps everything in memory. Throws IoError when it cannot be opened or
  /// another process has it, InputError when it is no journal, is damaged or of a newer version.
  explicit Journal(const std::filesystem::path& file);
  ~Journal();

  /// Stores a new job; `record.id` is given by the journal and returned. Throws InputError when the request_id exists.
  JobId accept(const JobRecord& record, const ProofRequest& request);
  void started(JobId id, std::size_t partitions, WallClock::time_point at);
  void partition_done(JobId id, std::size_t partition, const groth16::Proof& proof);
  /// Ends the job and drops its payload.
  void finished(JobId id, JobState state, const std::string& error, WallClock::time_point at);

  /// By id. The payload of a job that has not ended; throws InputError for any other.
  ProofRequest request(JobId id) const;
  std::optional<JobRecord> find(const std::string& request_id) const;
  std::optional<JobRecord> find(JobId id) const;
  /// Oldest first.
  std::vector<JobRecord> unfinished() const;
  /// Those that ended last, newest first.
  std::vector<JobRecord> finished(std::size_t limit) const;
  /// Forgets an ended job, so that its request_id can be used again.
  void forget(JobId id);
  /// Forgets jobs that ended before then.
  void forget_older(WallClock::time_point ended_before);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::engine
