#pragma once
/// What the engine must not forget: accepted jobs, the proofs of finished partitions, and results. In SQLite; each
/// function's effect is on the disk when it returns, whole, or has not happened when it throws.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  bool is_kept = true;                                    ///< goes on when its callers leave; for whoever cancels
  std::string error;                                      ///< why it failed
  std::vector<std::optional<groth16::Proof>> partitions;  ///< finished ones; empty until the job has been started
  bool operator==(const JobRecord&) const = default;
};

/// May be used from several threads; one process at a time has the file. Functions that take a job's id throw
/// InputError when there is no such job, all functions IoError when the disk fails and InputError when what they read
/// is damaged.
class Journal {
 public:
  /// Opens or makes the file; an empty path keeps everything in memory. Throws IoError when it cannot be opened or
  /// another process has it, InputError when it is no journal, is damaged or of a newer version. One of an earlier
  /// version is brought up to this one.
  explicit Journal(const std::filesystem::path& file);
  ~Journal();

  /// Stores a new job, queued; `record.id` is given by the journal and returned. Throws InputError when the request_id
  /// exists. Ids grow and are not used again.
  JobId accept(const JobRecord& record, const ProofRequest& request);
  /// 1 to 65536 partitions. A running job may be started again after a restart: the proofs that it has and its first
  /// time stay. Throws InputError when it has ended or was started with another number of partitions.
  void started(JobId id, std::size_t partitions, WallClock::time_point at);
  /// Replaces an earlier proof of the partition. Throws InputError when the job is not running or has no such
  /// partition.
  void partition_done(JobId id, std::size_t partition, const groth16::Proof& proof);
  /// Ends the job and drops its payload. Throws InputError when it has ended, when the state is not final, and for
  /// kDone when a partition has no proof.
  void finished(JobId id, JobState state, const std::string& error, WallClock::time_point at);

  /// Sets is_kept.
  void keep(JobId id);

  /// The payload of a job that has not ended; throws InputError for any other.
  ProofRequest request(JobId id) const;
  /// Empty when there is none.
  std::optional<JobRecord> find(const std::string& request_id) const;
  std::optional<JobRecord> find(JobId id) const;
  /// Oldest first.
  std::vector<JobRecord> unfinished() const;
  /// Those that ended last, newest first.
  std::vector<JobRecord> finished(std::size_t limit) const;
  /// Forgets an ended job, so that its request_id can be used again. Throws InputError when it has not ended.
  void forget(JobId id);
  /// Forgets jobs that ended before then.
  void forget_older(WallClock::time_point ended_before);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::engine
