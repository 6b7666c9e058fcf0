#include "engine/journal.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "engine/sqlite.hpp"

namespace proofline::engine {
namespace {

using groth16::Proof;
using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

constexpr std::int64_t kApplicationId = 0x504c4a6e;  // "PLJn"
/// Grows with every change of the tables, of to_bytes(ProofRequest) or of the numbers of an enum in JobRecord.
constexpr std::int64_t kVersion = 2;
constexpr std::int64_t kMostPartitions = 1 << 16;
constexpr std::array<std::string_view, 6> kStateNames = {"queued", "running",   "done",
                                                         "failed", "cancelled", "timed out"};
constexpr std::int64_t kPriorities = 4;

/// Times are nanoseconds since the epoch.
constexpr const char* kTables = R"(
  CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL,
    kind INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    state INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    deadline INTEGER,
    error TEXT NOT NULL,
    partitions INTEGER NOT NULL,
    is_kept INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX job_by_end ON job (finished);
  CREATE TABLE payload (
    job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
    bytes BLOB NOT NULL,
    sha256 BLOB NOT NULL
  ) STRICT;
  CREATE TABLE partition_proof (
    job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    partition INTEGER NOT NULL,
    proof BLOB NOT NULL,
    PRIMARY KEY (job, partition)
  ) STRICT, WITHOUT ROWID;
)";

/// From version 1.
constexpr const char* kAddIsKept = "ALTER TABLE job ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 1";

constexpr const char* kJobColumns =
    "SELECT id, request_id, digest, kind, priority, state, accepted, started, finished, deadline, error, partitions, "
    "is_kept FROM job ";

std::int64_t stored(WallClock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

WallClock::time_point time_of(std::int64_t nanoseconds) {
  return WallClock::time_point(std::chrono::duration_cast<WallClock::duration>(std::chrono::nanoseconds(nanoseconds)));
}

template <class Enum>
std::int64_t stored(Enum value) {
  return static_cast<std::int64_t>(value);
}

std::int64_t row(JobId id) {
  return static_cast<std::int64_t>(id);
}

std::string job_name(const Database& database, JobId id) {
  return database.name() + ": job " + std::to_string(id);
}

/// A number from the file that must be under `end`.
std::int64_t checked(std::int64_t value, std::int64_t end, const std::string& what) {
  if (value >= 0 && value < end) return value;
  throw InputError(what + " " + std::to_string(value) + " is not possible; the journal is damaged");
}

JobState state_of(std::int64_t value, const std::string& name) {
  return static_cast<JobState>(checked(value, kStateNames.size(), name + ": state"));
}

/// The version of the file's tables, 0 of a new file; throws InputError when it is no journal that can be read.
std::int64_t journal_version(const Database& database) {
  const std::int64_t application = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (application == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0) return 0;
  if (application != kApplicationId) {
    throw InputError(database.name() + ": a database of another program, not a journal; name another file");
  }
  if (version < 1 || version > kVersion) {
    throw InputError(database.name() + ": a journal of version " + std::to_string(version) +
                     ", this program reads versions up to " + std::to_string(kVersion) +
                     "; use the program that wrote it, or name another file");
  }
  return version;
}

void set_version(const Database& database) {
  database.execute("PRAGMA user_version=" + std::to_string(kVersion));
}

void make_tables(const Database& database) {
  Transaction transaction(database);
  database.execute(kTables);
  database.execute("PRAGMA application_id=" + std::to_string(kApplicationId));
  set_version(database);
  transaction.commit();
}

void bring_up(const Database& database, std::int64_t version) {
  if (version == kVersion) return;
  Transaction transaction(database);
  database.execute(kAddIsKept);
  set_version(database);
  transaction.commit();
}

void require_sound(const Database& database) {
  const std::string found = database.text("PRAGMA quick_check(1)");
  if (found != "ok") {
    throw InputError(database.name() + ": damaged (" + found + "); restore it, or move it away to begin a new one");
  }
}

void prepare(const Database& database, bool in_memory) {
  database.execute("PRAGMA locking_mode=EXCLUSIVE");
  std::int64_t version = 0;
  {
    // Takes the lock, which then stays, and leaves a file of somebody else's as it is.
    const Transaction lock(database);
    version = journal_version(database);
  }
  const std::string mode = database.text("PRAGMA journal_mode=WAL");
  if (!in_memory && mode != "wal") {
    throw IoError(database.name() + ": its file system does not allow a write-ahead log; name a file on a local disk");
  }
  database.execute("PRAGMA synchronous=FULL");
  database.execute("PRAGMA foreign_keys=ON");
  database.execute("PRAGMA journal_size_limit=16777216");
  if (version == 0) return make_tables(database);
  require_sound(database);
  bring_up(database, version);
}

/// What decides whether a job may change.
struct JobHead {
  JobState state;
  std::int64_t partitions;
};

JobHead job_head(const Database& database, JobId id) {
  const std::string name = job_name(database, id);
  Statement query(database, "SELECT state, partitions FROM job WHERE id = ?", row(id));
  if (!query.step()) throw InputError(name + ": there is no such job");
  return {state_of(query.integer(0), name), checked(query.integer(1), kMostPartitions + 1, name + ": partitions")};
}

[[noreturn]] void refuse(const Database& database, JobId id, JobState state, const std::string& what) {
  throw InputError(job_name(database, id) + " is " + std::string(job_state_name(state)) + "; " + what);
}

std::vector<std::optional<Proof>> read_proofs(const Database& database, JobId id, std::int64_t partitions) {
  std::vector<std::optional<Proof>> out(static_cast<std::size_t>(partitions));
  Statement query(database, "SELECT partition, proof FROM partition_proof WHERE job = ?", row(id));
  while (query.step()) {
    const std::string name = job_name(database, id) + ", proof of partition";
    const std::int64_t partition = checked(query.integer(0), partitions, name);
    const std::string this_name = name + " " + std::to_string(partition);
    const auto bytes = query.bytes(1);
    if (bytes.size() != Proof::kBytes) {
      throw InputError(this_name + ": " + std::to_string(Proof::kBytes) + " bytes expected, not " +
                       std::to_string(bytes.size()) + "; the journal is damaged");
    }
    out[static_cast<std::size_t>(partition)] = Proof::from_bytes(bytes.first<Proof::kBytes>(), this_name);
  }
  return out;
}

/// From the current row of a query of kJobColumns.
JobRecord read_job(const Database& database, const Statement& query) {
  JobRecord out;
  out.id = static_cast<JobId>(query.integer(0));
  const std::string name = job_name(database, out.id);
  out.request_id = query.text(1);
  const auto digest = query.bytes(2);
  if (digest.size() != out.digest.size())
    throw InputError(name + ": digest of " + std::to_string(digest.size()) + " bytes; the journal is damaged");
  std::ranges::copy(digest, out.digest.begin());
  const auto kinds = static_cast<std::int64_t>(filecoin::circuit_kind_names().size());
  out.kind = static_cast<filecoin::CircuitKind>(checked(query.integer(3), kinds, name + ": kind"));
  out.priority = static_cast<Priority>(checked(query.integer(4), kPriorities, name + ": priority"));
  out.state = state_of(query.integer(5), name);
  out.accepted = time_of(query.integer(6));
  out.started = time_of(query.integer(7));
  out.finished = time_of(query.integer(8));
  if (const auto deadline = query.optional_integer(9)) out.deadline = time_of(*deadline);
  out.error = query.text(10);
  out.partitions =
      read_proofs(database, out.id, checked(query.integer(11), kMostPartitions + 1, name + ": partitions"));
  out.is_kept = query.integer(12) != 0;
  return out;
}

template <class... Parameters>
std::vector<JobRecord> read_jobs(const Database& database, std::string_view condition,
                                 const Parameters&... parameters) {
  const std::string sql = kJobColumns + std::string(condition);
  Statement query(database, sql, parameters...);
  std::vector<JobRecord> out;
  while (query.step()) out.push_back(read_job(database, query));
  return out;
}

std::optional<JobRecord> only(std::vector<JobRecord> jobs) {
  if (jobs.empty()) return std::nullopt;
  return std::move(jobs.front());
}

}  // namespace

struct Journal::State {
  explicit State(const std::filesystem::path& file)
      : database(file, file.empty() ? "journal in memory" : file.string()) {
    prepare(database, file.empty());
  }

  std::mutex mutex;
  Database database;
};

std::string_view job_state_name(JobState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

Journal::Journal(const std::filesystem::path& file) : state_(std::make_unique<State>(file)) {}

Journal::~Journal() = default;

JobId Journal::accept(const JobRecord& record, const ProofRequest& request) {
  const Bytes payload = to_bytes(request);
  const Sha256Digest checksum = sha256(payload);
  const std::optional<std::int64_t> deadline = record.deadline ? std::optional(stored(*record.deadline)) : std::nullopt;
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  Transaction transaction(database);
  if (Statement same(database, "SELECT id FROM job WHERE request_id = ?", record.request_id); same.step()) {
    throw InputError(database.name() + ": request \"" + record.request_id + "\" exists already, as job " +
                     std::to_string(same.integer(0)));
  }
  sqlite::run(database,
              "INSERT INTO job (request_id, digest, kind, priority, state, accepted, started, finished, deadline, "
              "error, partitions, is_kept) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, '', 0, ?)",
              record.request_id, record.digest, stored(record.kind), stored(record.priority), stored(JobState::kQueued),
              stored(record.accepted), deadline, std::int64_t{record.is_kept});
  const std::int64_t id = database.last_row_id();
  sqlite::run(database, "INSERT INTO payload VALUES (?, ?, ?)", id, payload, checksum);
  transaction.commit();
  return static_cast<JobId>(id);
}

void Journal::started(JobId id, std::size_t partitions, WallClock::time_point at) {
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  if (partitions == 0 || partitions > kMostPartitions) {
    throw InputError(job_name(database, id) + ": " + std::to_string(partitions) + " partitions; 1 to " +
                     std::to_string(kMostPartitions) + " expected");
  }
  const auto count = static_cast<std::int64_t>(partitions);
  Transaction transaction(database);
  const JobHead head = job_head(database, id);
  if (is_final(head.state)) refuse(database, id, head.state, "it cannot be started");
  if (head.state == JobState::kRunning && head.partitions != count) {
    refuse(database, id, head.state,
           "it has " + std::to_string(head.partitions) + " partitions, not " + std::to_string(count));
  }
  if (head.state == JobState::kRunning) return;
  sqlite::run(database, "UPDATE job SET state = ?, started = ?, partitions = ? WHERE id = ?",
              stored(JobState::kRunning), stored(at), count, row(id));
  transaction.commit();
}

void Journal::partition_done(JobId id, std::size_t partition, const Proof& proof) {
  const auto bytes = proof.to_bytes();
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  Transaction transaction(database);
  const JobHead head = job_head(database, id);
  if (head.state != JobState::kRunning) refuse(database, id, head.state, "a partition is done only of a running job");
  if (partition >= static_cast<std::size_t>(head.partitions)) {
    refuse(database, id, head.state,
           "it has " + std::to_string(head.partitions) + " partitions, none with number " + std::to_string(partition));
  }
  sqlite::run(database, "INSERT OR REPLACE INTO partition_proof VALUES (?, ?, ?)", row(id),
              static_cast<std::int64_t>(partition), bytes);
  transaction.commit();
}

void Journal::finished(JobId id, JobState state, const std::string& error, WallClock::time_point at) {
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  if (!is_final(state)) {
    throw InputError(job_name(database, id) + ": \"" + std::string(job_state_name(state)) + "\" is not how a job ends");
  }
  Transaction transaction(database);
  const JobHead head = job_head(database, id);
  if (is_final(head.state)) refuse(database, id, head.state, "it has ended already");
  if (state == JobState::kDone) {
    Statement proofs(database, "SELECT count(*) FROM partition_proof WHERE job = ?", row(id));
    proofs.step();
    if (head.partitions == 0 || proofs.integer(0) != head.partitions) {
      refuse(database, id, head.state,
             "it is not done with " + std::to_string(proofs.integer(0)) + " proofs of " +
                 std::to_string(head.partitions) + " partitions");
    }
  }
  sqlite::run(database, "UPDATE job SET state = ?, error = ?, finished = ? WHERE id = ?", stored(state), error,
              stored(at), row(id));
  sqlite::run(database, "DELETE FROM payload WHERE job = ?", row(id));
  transaction.commit();
}

void Journal::keep(JobId id) {
  const std::lock_guard lock(state_->mutex);
  job_head(state_->database, id);
  sqlite::run(state_->database, "UPDATE job SET is_kept = 1 WHERE id = ?", row(id));
}

ProofRequest Journal::request(JobId id) const {
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  const JobHead head = job_head(database, id);
  if (is_final(head.state)) refuse(database, id, head.state, "its request is no longer kept");
  Statement query(database, "SELECT bytes, sha256 FROM payload WHERE job = ?", row(id));
  if (!query.step() || !std::ranges::equal(sha256(query.bytes(0)), query.bytes(1))) {
    throw InputError(job_name(database, id) +
                     ": its request is missing or not as it was stored; the journal is damaged");
  }
  return proof_request_from_bytes(query.bytes(0));
}

std::optional<JobRecord> Journal::find(const std::string& request_id) const {
  const std::lock_guard lock(state_->mutex);
  return only(read_jobs(state_->database, "WHERE request_id = ?", request_id));
}

std::optional<JobRecord> Journal::find(JobId id) const {
  const std::lock_guard lock(state_->mutex);
  return only(read_jobs(state_->database, "WHERE id = ?", row(id)));
}

std::vector<JobRecord> Journal::unfinished() const {
  const std::lock_guard lock(state_->mutex);
  return read_jobs(state_->database, "WHERE state < ? ORDER BY id", stored(JobState::kDone));
}

std::vector<JobRecord> Journal::finished(std::size_t limit) const {
  const std::lock_guard lock(state_->mutex);
  const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(limit, INT64_MAX));
  return read_jobs(state_->database, "WHERE state >= ? ORDER BY finished DESC, id DESC LIMIT ?",
                   stored(JobState::kDone), most);
}

void Journal::forget(JobId id) {
  const std::lock_guard lock(state_->mutex);
  const Database& database = state_->database;
  Transaction transaction(database);
  const JobHead head = job_head(database, id);
  if (!is_final(head.state)) refuse(database, id, head.state, "only an ended job can be forgotten");
  sqlite::run(database, "DELETE FROM job WHERE id = ?", row(id));
  transaction.commit();
}

void Journal::forget_older(WallClock::time_point ended_before) {
  const std::lock_guard lock(state_->mutex);
  sqlite::run(state_->database, "DELETE FROM job WHERE state >= ? AND finished < ?", stored(JobState::kDone),
              stored(ended_before));
}

}  // namespace proofline::engine
