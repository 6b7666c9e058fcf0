// The process is killed at random points; what it had accepted is finished after restarts, and nothing is proved twice.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <set>

#include "engine_fixture.hpp"

namespace proofline::engine {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kJobs = 40;
constexpr std::size_t kPartitions = 5;
constexpr int kKills = 200;

/// Each partition of each job has a value of its own.
Bytes values_of(std::size_t job) {
  Bytes out;
  for (std::size_t i = 0; i < kPartitions; ++i) out.push_back(static_cast<std::uint8_t>(job * kPartitions + i));
  return out;
}

std::string request_id_of(std::size_t job) {
  return "job-" + std::to_string(job);
}

/// Says which witness it makes, one byte a partition.
class LoggedTask : public test::CubicTask {
 public:
  LoggedTask(Bytes values, int log) : CubicTask(values), values_(std::move(values)), log_(log) {}
  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    if (::write(log_, &values_[partition], 1) != 1) std::abort();
    return CubicTask::witness(partition, exec);
  }

 private:
  Bytes values_;
  int log_;
};

class EngineCrash : public test::EngineFixture {
 protected:
  /// What the killed process does: submits what it has not yet, and works until all is done.
  [[noreturn]] void work(const std::filesystem::path& journal_file, int witness_log, int accepted_log) {
    {
      Journal journal(journal_file);
      Engine engine({*ledger_, recorder_, journal, kits(),
                     [witness_log](ProofRequest request) -> std::shared_ptr<const ProofTask> {
                       return std::make_shared<const LoggedTask>(std::move(request.c1), witness_log);
                     },
                     one_backend(), exec_},
                    {.witness_workers = 2});
      std::vector<JobId> ids;
      for (std::size_t job = 0; job < kJobs; ++job) {
        ids.push_back(engine.submit(request(values_of(job)), {.request_id = request_id_of(job)}));
        const auto number = static_cast<std::uint8_t>(job);
        if (::write(accepted_log, &number, 1) != 1) std::abort();
      }
      for (const JobId id : ids) engine.await(id);
    }
    ::_exit(0);
  }

  std::vector<std::unique_ptr<device::Backend>> one_backend() {
    std::vector<std::unique_ptr<device::Backend>> out;
    out.push_back(cpu());
    return out;
  }

  /// The bytes written since the last call.
  static Bytes read_log(int log) {
    Bytes out(1 << 16);
    const ssize_t n = ::read(log, out.data(), out.size());
    out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return out;
  }
};

TEST_F(EngineCrash, KilledAtRandomPointsItLosesNothingAndProvesNothingTwice) {
  kits();
  std::mt19937 random(20261202);
  int kills = 0;
  for (int round = 0; kills < kKills; ++round) {
    ASSERT_LT(round, 100) << "too few kills a round";
    const auto journal_file = folder_ / ("journal-" + std::to_string(round));
    const auto log = [&](const char* name) {
      const auto path = folder_ / (name + std::to_string(round));
      const int write_end = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      return std::pair(write_end, ::open(path.c_str(), O_RDONLY));
    };
    const auto [witness_out, witness_in] = log("witness");
    const auto [accepted_out, accepted_in] = log("accepted");
    std::set<std::uint8_t> proved, accepted;
    for (bool ended = false; !ended;) {
      const pid_t child = ::fork();
      if (child == 0) work(journal_file, witness_out, accepted_out);
      ASSERT_GT(child, 0);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 250'000));
      ::kill(child, SIGKILL);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      ended = WIFEXITED(status);
      if (ended) {
        ASSERT_EQ(WEXITSTATUS(status), 0);
      } else {
        ++kills;
      }

      for (const std::uint8_t value : read_log(witness_in)) {
        EXPECT_FALSE(proved.contains(value)) << "partition " << int{value} << " was finished, and is proved again";
      }
      for (const std::uint8_t job : read_log(accepted_in)) accepted.insert(job);
      if (!std::filesystem::exists(journal_file)) continue;
      const Journal journal(journal_file);
      for (const std::uint8_t job : accepted) {
        const std::optional<JobRecord> record = journal.find(request_id_of(job));
        ASSERT_TRUE(record) << "job " << int{job} << " was accepted";
        for (std::size_t i = 0; i < record->partitions.size(); ++i) {
          if (record->partitions[i]) proved.insert(values_of(job)[i]);
        }
        if (ended) {
          JobStatus job_status;
          job_status.record = *record;
          expect_proofs(job_status, values_of(job));
        }
      }
    }
    EXPECT_EQ(accepted.size(), kJobs);
    EXPECT_EQ(proved.size(), kJobs * kPartitions);
    for (const int file : {witness_out, witness_in, accepted_out, accepted_in}) ::close(file);
  }
  RecordProperty("kills", kills);
}

}  // namespace
}  // namespace proofline::engine
