#include "engine/journal.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "engine/sqlite.hpp"
#include "support/temp_folder.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;
using groth16::Proof;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

WallClock::time_point at(int seconds) {
  return WallClock::time_point(std::chrono::seconds(1'700'000'000 + seconds));
}

/// Another proof for each number.
Proof proof(std::uint64_t number) {
  const math::Fr factor = math::Fr::from_u64(number + 2);
  return {(math::G1::generator() * factor).to_affine(), math::G2Affine::generator(),
          (math::G1::generator() * (factor + factor)).to_affine()};
}

ProofRequest request(std::uint64_t number) {
  return {.kind = filecoin::CircuitKind::kWindowPost,
          .sector_size = 2048,
          .vanilla = {Bytes(static_cast<std::size_t>(number % 5000), 7), {1, 2, 3}},
          .partition_index = number};
}

JobRecord record(const std::string& request_id) {
  JobRecord out;
  out.request_id = request_id;
  out.digest.fill(9);
  out.kind = filecoin::CircuitKind::kWindowPost;
  out.priority = Priority::kHigh;
  out.accepted = at(0);
  return out;
}

std::vector<JobId> ids(const std::vector<JobRecord>& jobs) {
  std::vector<JobId> out;
  for (const JobRecord& job : jobs) out.push_back(job.id);
  return out;
}

/// Changes a journal's file behind its back.
void execute(const fs::path& file, const std::string& sql) {
  sqlite::Database(file, file.string()).execute(sql);
}

std::vector<std::uint8_t> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Changes one byte of the first place where the file has these bytes.
void damage(const fs::path& file, std::span<const std::uint8_t> where) {
  auto bytes = read_file(file);
  const auto found = std::search(bytes.begin(), bytes.end(), where.begin(), where.end());
  ASSERT_NE(found, bytes.end());
  auto& byte = *(found + static_cast<std::ptrdiff_t>(where.size() / 2));
  byte = static_cast<std::uint8_t>(byte ^ 1U);
  test::write_bytes(file, bytes);
}

/// What a process of its own is told when it opens the file; "opened" when nothing is wrong.
std::string open_in_child(const fs::path& file, bool as_nobody = false) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
  const ::pid_t child = ::fork();
  if (child == 0) {
    std::string text = "opened";
    constexpr unsigned kNobody = 65534;
    if (as_nobody && ::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(1);
    try {
      const Journal journal(file);
    } catch (const IoError& error) {
      text = std::string("IoError: ") + error.what();
    } catch (const InputError& error) {
      text = std::string("InputError: ") + error.what();
    }
    ::_exit(::write(pipe[1], text.data(), text.size()) == static_cast<::ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(pipe[1]);
  std::string out;
  std::array<char, 512> buffer{};
  for (::ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  return out;
}

/// The n-th step of an endless story of jobs with all kinds of ends, which a journal can be put through anywhere.
void story_step(Journal& journal, std::uint64_t step) {
  constexpr std::uint64_t kSteps = 6;
  const JobId id = 1 + step / kSteps;
  const int now = static_cast<int>(step);
  switch (step % kSteps) {
    case 0: {
      JobRecord job = record("request " + std::to_string(id));
      job.accepted = at(now);
      if (id % 2 == 0) job.deadline = at(now + 1000);
      journal.accept(job, request(id * 1237));
      return;
    }
    case 1:
      return journal.started(id, 2, at(now));
    case 2:
      return journal.partition_done(id, 1, proof(step));
    case 3:
      return journal.partition_done(id, 0, proof(step));
    case 4:
      if (id % 3 == 0) return;  // stays unfinished
      return journal.finished(id, id % 3 == 1 ? JobState::kDone : JobState::kFailed, id % 3 == 1 ? "" : "why", at(now));
    default:
      if (id % 6 == 1) journal.forget(id);
  }
}

struct Contents {
  std::vector<JobRecord> unfinished, finished;
  std::vector<ProofRequest> requests;
  bool operator==(const Contents&) const = default;
};

Contents contents(const Journal& journal) {
  Contents out{journal.unfinished(), journal.finished(SIZE_MAX), {}};
  for (const JobRecord& job : out.unfinished) out.requests.push_back(journal.request(job.id));
  return out;
}

class JournalFile : public testing::Test {
 protected:
  auto refused(const std::string& text) const {
    return ThrowsMessage<InputError>(AllOf(StartsWith(file_.string() + ": "), HasSubstr(text)));
  }
  /// A journal with a job that has one of two proofs.
  void make_with_job() const {
    Journal journal(file_);
    journal.started(journal.accept(record("a"), request(10'000)), 2, at(1));
    journal.partition_done(1, 0, proof(3));
  }

  test::TempFolder folder_;
  fs::path file_ = folder_ / "journal.db";
};

TEST_F(JournalFile, EveryFieldComesBackAfterEachStep) {
  JobRecord expected = record("the client's name");
  expected.deadline = at(100) + std::chrono::nanoseconds(1);
  expected.kind = filecoin::CircuitKind::kUpdate;
  expected.priority = Priority::kLow;
  expected.id = Journal(file_).accept(expected, request(4));
  EXPECT_EQ(Journal(file_).find(expected.id), expected);
  EXPECT_EQ(Journal(file_).find("the client's name"), expected);
  EXPECT_EQ(Journal(file_).request(expected.id), request(4));

  Journal(file_).started(expected.id, 3, at(2));
  expected.state = JobState::kRunning;
  expected.started = at(2);
  expected.partitions.resize(3);
  EXPECT_EQ(Journal(file_).find(expected.id), expected);

  for (const std::size_t partition : {2U, 0U, 1U}) {
    Journal(file_).partition_done(expected.id, partition, proof(partition));
    expected.partitions[partition] = proof(partition);
    EXPECT_EQ(Journal(file_).find(expected.id), expected);
    EXPECT_EQ(Journal(file_).request(expected.id), request(4));
  }

  Journal(file_).finished(expected.id, JobState::kDone, "", at(3));
  expected.state = JobState::kDone;
  expected.finished = at(3);
  EXPECT_EQ(Journal(file_).find(expected.id), expected);
  EXPECT_THAT(Journal(file_).finished(1), ElementsAre(expected));
}

TEST(JournalInMemory, DoesTheSame) {
  Journal journal({});
  const JobId id = journal.accept(record("a"), request(1));
  journal.started(id, 1, at(1));
  journal.finished(id, JobState::kTimedOut, "too late", at(2));
  EXPECT_EQ(journal.find(id)->error, "too late");
  EXPECT_EQ(journal.find(id)->state, JobState::kTimedOut);
  EXPECT_EQ(Journal({}).find(id), std::nullopt);
}

TEST(JournalInMemory, ARequestIdIsTakenUntilItIsForgotten) {
  Journal journal({});
  const JobId id = journal.accept(record("a"), request(1));
  const auto again = [&] { journal.accept(record("a"), request(2)); };
  EXPECT_THAT(again, ThrowsMessage<InputError>(HasSubstr("request \"a\" exists already, as job 1")));
  EXPECT_EQ(journal.request(id), request(1));
  EXPECT_THAT([&] { journal.forget(id); }, ThrowsMessage<InputError>(HasSubstr("job 1 is queued; only an ended job")));
  journal.finished(id, JobState::kCancelled, "", at(1));
  EXPECT_THROW(again(), InputError);
  journal.forget(id);
  EXPECT_EQ(journal.find("a"), std::nullopt);
  EXPECT_EQ(journal.accept(record("a"), request(2)), 2U) << "ids are not used again";
}

TEST(JournalInMemory, RequestIdsAreAnyBytes) {
  Journal journal({});
  for (const std::string& name : {std::string(), std::string("a\0b", 3), std::string("a"), std::string("' OR 1 --")}) {
    const JobId id = journal.accept(record(name), request(1));
    EXPECT_EQ(journal.find(name)->id, id);
    EXPECT_EQ(journal.find(id)->request_id, name);
  }
}

TEST(JournalInMemory, ListsTheUnfinishedOldestFirstAndTheFinishedNewestFirst) {
  Journal journal({});
  for (int i = 1; i <= 6; ++i) journal.accept(record(std::to_string(i)), request(1));
  journal.started(4, 1, at(1));
  journal.finished(2, JobState::kFailed, "why", at(30));
  journal.finished(5, JobState::kCancelled, "", at(10));
  journal.finished(3, JobState::kTimedOut, "", at(20));
  EXPECT_THAT(ids(journal.unfinished()), ElementsAre(1, 4, 6));
  EXPECT_THAT(ids(journal.finished(10)), ElementsAre(2, 3, 5));
  EXPECT_THAT(ids(journal.finished(2)), ElementsAre(2, 3));
  EXPECT_THAT(ids(journal.finished(0)), ElementsAre());
  journal.forget_older(at(20));
  EXPECT_THAT(ids(journal.finished(10)), ElementsAre(2, 3));
  journal.forget_older(at(1000));
  EXPECT_THAT(ids(journal.unfinished()), ElementsAre(1, 4, 6));
  EXPECT_THAT(ids(journal.finished(10)), ElementsAre());
}

TEST_F(JournalFile, ThePayloadIsGoneWhenTheJobHasEnded) {
  Journal journal(file_);
  journal.accept(record("a"), request(1));
  journal.accept(record("b"), request(2));
  journal.finished(1, JobState::kFailed, "why", at(1));
  EXPECT_THAT([&] { journal.request(1); }, refused("job 1 is failed; its request is no longer kept"));
  EXPECT_EQ(journal.request(2), request(2));
}

TEST_F(JournalFile, NothingIsLeftOfTheForgotten) {
  {
    Journal journal(file_);
    journal.started(journal.accept(record("a"), request(1)), 1, at(1));
    journal.partition_done(1, 0, proof(1));
    journal.finished(1, JobState::kDone, "", at(2));
    journal.forget(1);
  }
  const sqlite::Database database(file_, "test");
  for (const std::string table : {"job", "payload", "partition_proof"}) {
    EXPECT_EQ(database.integer("SELECT count(*) FROM " + table), 0) << table;
  }
}

TEST(JournalInMemory, AStartCanBeRepeatedAndKeepsTheProofs) {
  Journal journal({});
  const JobId id = journal.accept(record("a"), request(1));
  journal.started(id, 2, at(1));
  journal.partition_done(id, 1, proof(1));
  journal.started(id, 2, at(5));
  EXPECT_EQ(journal.find(id)->started, at(1));
  EXPECT_THAT(journal.find(id)->partitions, ElementsAre(std::nullopt, proof(1)));
  journal.partition_done(id, 1, proof(2));
  EXPECT_THAT(journal.find(id)->partitions, ElementsAre(std::nullopt, proof(2)));
}

TEST_F(JournalFile, StepsOutOfOrderAreRefusedAndChangeNothing) {
  Journal journal(file_);
  journal.accept(record("a"), request(1));
  EXPECT_THAT([&] { journal.partition_done(1, 0, proof(1)); }, refused("job 1 is queued; a partition is done only"));
  EXPECT_THAT([&] { journal.started(1, 0, at(1)); }, refused("0 partitions; 1 to 65536"));
  EXPECT_THAT([&] { journal.started(1, SIZE_MAX, at(1)); }, refused("1 to 65536"));
  EXPECT_THAT([&] { journal.finished(1, JobState::kDone, "", at(1)); }, refused("0 proofs of 0 partitions"));
  journal.started(1, 2, at(1));
  journal.partition_done(1, 1, proof(1));
  const JobRecord before = *journal.find(1);
  EXPECT_THAT([&] { journal.started(1, 3, at(1)); }, refused("job 1 is running; it has 2 partitions, not 3"));
  EXPECT_THAT([&] { journal.partition_done(1, 2, proof(1)); }, refused("none with number 2"));
  EXPECT_THAT([&] { journal.finished(1, JobState::kRunning, "", at(1)); },
              refused("\"running\" is not how a job ends"));
  EXPECT_THAT([&] { journal.finished(1, JobState::kDone, "", at(1)); }, refused("1 proofs of 2 partitions"));
  EXPECT_EQ(journal.find(1), before);
  journal.finished(1, JobState::kTimedOut, "", at(2));
  EXPECT_THAT([&] { journal.finished(1, JobState::kFailed, "", at(2)); }, refused("job 1 is timed out; it has ended"));
  EXPECT_THAT([&] { journal.started(1, 2, at(2)); }, refused("cannot be started"));
  for (const JobId unknown : {JobId{2}, ~JobId{0}}) {
    EXPECT_THAT([&] { journal.started(unknown, 1, at(1)); }, refused("there is no such job"));
    EXPECT_THROW(journal.partition_done(unknown, 0, proof(1)), InputError);
    EXPECT_THROW(journal.finished(unknown, JobState::kFailed, "", at(1)), InputError);
    EXPECT_THROW(journal.request(unknown), InputError);
    EXPECT_THROW(journal.forget(unknown), InputError);
    EXPECT_EQ(journal.find(unknown), std::nullopt);
  }
}

/// Processes that are killed in the middle of the story: what they acknowledged is there, and the step that they were
/// at has happened as a whole or not at all.
TEST_F(JournalFile, WhatWasAcknowledgedSurvivesAKill) {
  std::mt19937_64 rng(1);
  std::uint64_t steps = 0;
  Journal model({});
  for (int round = 0; round < 15; ++round) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const ::pid_t child = ::fork();
    if (child == 0) {
      try {
        Journal journal(file_);
        for (std::uint64_t step = steps;; ++step) {
          story_step(journal, step);
          if (::write(pipe[1], "", 1) != 1) ::_exit(1);
        }
      } catch (...) {
        ::_exit(1);
      }
    }
    ::close(pipe[1]);
    // Some time after some steps, of which every other child makes at least one.
    std::uint64_t acknowledged = 0;
    for (std::uint64_t wanted = rng() % 2 * (1 + rng() % 8); acknowledged < wanted; ++acknowledged) {
      char byte = 0;
      if (::read(pipe[0], &byte, 1) != 1) break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(rng() % 20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    for (char byte = 0; ::read(pipe[0], &byte, 1) == 1;) ++acknowledged;
    ::close(pipe[0]);

    for (const std::uint64_t end = steps + acknowledged; steps < end; ++steps) story_step(model, steps);
    const Contents found = contents(Journal(file_));
    if (found == contents(model)) continue;
    story_step(model, steps++);
    ASSERT_EQ(found, contents(model)) << "round " << round << ", " << acknowledged << " steps acknowledged";
  }
  EXPECT_GT(steps, 15U);
}

TEST_F(JournalFile, OneAtATimeOpensIt) {
  {
    const Journal journal(file_);
    EXPECT_EQ(open_in_child(file_),
              "IoError: " + file_.string() + ": in use by another process; stop that one, or name another file");
    EXPECT_THROW(Journal{file_}, IoError);
  }
  EXPECT_EQ(open_in_child(file_), "opened");
}

TEST_F(JournalFile, WhereNothingCanBeWrittenItIsNotOpened) {
  const auto cannot = [](const fs::path& file) {
    return AllOf(StartsWith("IoError: " + file.string() + ": cannot "), HasSubstr("writ"));
  };
  EXPECT_THAT(open_in_child(folder_ / "none/journal.db"), cannot(folder_ / "none/journal.db"));
  EXPECT_THAT(open_in_child(folder_.path()), cannot(folder_.path()));
  make_with_job();
  fs::permissions(file_, fs::perms{0666});
  fs::permissions(folder_.path(), fs::perms{0555});
  EXPECT_THAT(open_in_child(folder_ / "new.db", true), cannot(folder_ / "new.db"));
  EXPECT_THAT(open_in_child(file_, true), cannot(file_)) << "no place for the log";
  fs::permissions(folder_.path(), fs::perms{0777});
  EXPECT_EQ(open_in_child(file_, true), "opened");
  fs::permissions(file_, fs::perms{0444});
  EXPECT_THAT(open_in_child(file_, true), cannot(file_));
}

TEST_F(JournalFile, WhatIsNoJournalIsRefusedAndLeftAlone) {
  const auto opening = [&] { const Journal journal(file_); };
  test::write_bytes(file_, std::vector<std::uint8_t>(5000, 'x'));
  EXPECT_THAT(opening, refused("not a database"));
  EXPECT_EQ(read_file(file_), std::vector<std::uint8_t>(5000, 'x'));
  fs::remove(file_);
  execute(file_, "CREATE TABLE cake (eaten INTEGER)");
  const auto before = read_file(file_);
  EXPECT_THAT(opening, refused("a database of another program"));
  EXPECT_EQ(read_file(file_), before);
  fs::remove(file_);
  test::write_bytes(file_, {});
  EXPECT_NO_THROW(opening());
  execute(file_, "PRAGMA user_version=3");
  EXPECT_THAT(opening, refused("a journal of version 3, this program reads versions up to 2"));
}

TEST_F(JournalFile, OneOfVersion1IsBroughtUp) {
  make_with_job();
  execute(file_, "ALTER TABLE job DROP COLUMN is_kept; PRAGMA user_version=1");
  for (int i = 0; i < 2; ++i) {
    const Journal journal(file_);
    ASSERT_EQ(journal.unfinished().size(), 1U);
    EXPECT_TRUE(journal.unfinished()[0].is_kept);
  }
}

TEST_F(JournalFile, DamagedPagesAreFoundAtOpening) {
  make_with_job();
  const auto whole = read_file(file_);
  constexpr std::size_t kPage = 4096;
  auto bytes = whole;
  std::fill_n(bytes.begin() + kPage, kPage, std::uint8_t{0xa5});
  test::write_bytes(file_, bytes);
  EXPECT_THAT([&] { const Journal journal(file_); }, refused("damaged"));
  for (std::size_t size = kPage; size < whole.size(); size += kPage) {
    test::write_bytes(file_, std::span(whole).first(size));
    EXPECT_THAT([&] { const Journal journal(file_); }, refused("damaged")) << size;
  }
}

TEST_F(JournalFile, ADamagedPayloadIsNotHandedOut) {
  {
    Journal journal(file_);
    journal.accept(record("a"), {.c1 = {0xca, 0xfe, 0xba, 0xbe, 0x12, 0x34, 0x56, 0x78}});
  }
  damage(file_, std::array<std::uint8_t, 8>{0xca, 0xfe, 0xba, 0xbe, 0x12, 0x34, 0x56, 0x78});
  const Journal journal(file_);
  EXPECT_THAT([&] { journal.request(1); }, refused("job 1: its request is missing or not as it was stored"));
}

TEST_F(JournalFile, DamagedProofsAndNumbersAreNamed) {
  make_with_job();
  damage(file_, proof(3).to_bytes());
  EXPECT_THAT([&] { Journal(file_).unfinished(); }, refused("job 1, proof of partition 0"));
  const auto after = [&](const std::string& sql) {
    execute(file_, sql);
    return [&] { Journal(file_).find("a"); };
  };
  EXPECT_THAT(after("UPDATE partition_proof SET proof = x'0102'"), refused("partition 0: 192 bytes expected, not 2"));
  EXPECT_THAT(after("UPDATE partition_proof SET partition = 2"), refused("proof of partition 2 is not possible"));
  EXPECT_THAT(after("UPDATE job SET partitions = 1 << 40"), refused("partitions 1099511627776 is not possible"));
  EXPECT_THAT(after("UPDATE job SET state = 6"), refused("state 6 is not possible"));
  EXPECT_THAT(after("UPDATE job SET priority = -1"), refused("priority -1 is not possible"));
  EXPECT_THAT(after("UPDATE job SET kind = 4"), refused("kind 4 is not possible"));
  EXPECT_THAT(after("UPDATE job SET digest = x''"), refused("digest of 0 bytes"));
}

TEST_F(JournalFile, AnyDamageGivesAnErrorOrNone) {
  make_with_job();
  const auto whole = read_file(file_);
  std::mt19937_64 rng(2);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    auto bytes = whole;
    for (int i = 0; i < 20; ++i) bytes[rng() % bytes.size()] = static_cast<std::uint8_t>(rng());
    test::write_bytes(file_, bytes);
    try {
      contents(Journal(file_));
    } catch (const Error&) {
      ++refused;
    }
    fs::remove(file_.string() + "-wal");
  }
  EXPECT_GT(refused, 0);
}

TEST(JournalInMemory, ThreadsShareIt) {
  Journal journal({});
  constexpr std::uint64_t kThreads = 4, kJobs = 20;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::uint64_t job = 0; job < kJobs; ++job) {
          const std::uint64_t number = thread * kJobs + job;
          const JobId id = journal.accept(record(std::to_string(number)), request(number));
          journal.started(id, 1, at(1));
          journal.partition_done(id, 0, proof(number));
          EXPECT_EQ(journal.request(id), request(number));
          if (job % 2 == 0) journal.finished(id, JobState::kDone, "", at(2));
          EXPECT_THAT(journal.find(id)->partitions, ElementsAre(proof(number)));
        }
      });
    }
  }
  EXPECT_EQ(journal.unfinished().size(), kThreads * kJobs / 2);
  EXPECT_EQ(journal.finished(1000).size(), kThreads * kJobs / 2);
}

}  // namespace
}  // namespace proofline::engine
