// bench prove.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"
#include "support/instrumented.hpp"

namespace proofline {
namespace {

using test::run_proofline;
using test::TempFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// The reference's parameters of a WindowPoSt of 2 KiB sectors.
const std::string kParams = test::data_path(
                                "params/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                                "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params")
                                .string();

class BenchProve : public testing::Test {
 protected:
  void SetUp() override {
    const auto made =
        run_proofline({"post", "synthesize", "--kind", "window", "--size", "2KiB", "-o", post(), "--quiet"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  std::string post() const { return (folder_ / "post").string(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  TempFolder folder_;
};

TEST_F(BenchProve, ARowForEachConfiguration) {
  const std::string budget = std::to_string(test::with_sanitizer_memory(200 << 20) >> 20);
  const auto result = run_proofline({"bench",
                                     "prove",
                                     post(),
                                     "--params",
                                     kParams,
                                     "--proofs",
                                     "3",
                                     "--concurrency",
                                     "2",
                                     "--workers",
                                     "1,4",
                                     "--memory",
                                     budget + "MiB",
                                     "--bare",
                                     "--check-memory",
                                     "--plot",
                                     path("plot.svg"),
                                     "--trace",
                                     path("trace.json"),
                                     "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rows = result.json().at("rows");
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows.at(0).at("workers"), "bare");
  for (std::size_t i : {1, 2}) {
    const auto& row = rows.at(i);
    EXPECT_EQ(row.at("latencies").at("window-post").at("proofs"), 3);
    EXPECT_GT(row.at("seconds_per_proof").get<double>(), 0);
    EXPECT_GT(row.at("peak_ledger"), 0);
    EXPECT_LE(row.at("peak_ledger"), row.at("memory"));
    EXPECT_LE(row.at("peak_resident"), row.at("memory"));
    EXPECT_LE(row.at("device_busy_share").get<double>(), 1);
  }
  const auto plot = test::read_bytes(path("plot.svg"));
  EXPECT_THAT(std::string(plot.begin(), plot.end()),
              AllOf(StartsWith("<svg"), HasSubstr("4 workers, " + budget + " MiB")));
  EXPECT_GT(test::read_json(path("trace.json")).at("traceEvents").size(), 10);
}

TEST_F(BenchProve, CsvAndTable) {
  const auto csv = run_proofline({"bench", "prove", post(), "--params", kParams, "--proofs", "1", "--csv"});
  ASSERT_EQ(csv.status, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("workers,memory,seconds_per_proof,"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 2);
  const auto table = run_proofline({"bench", "prove", post(), "--params", "wpost-2k=" + kParams, "--proofs", "1"});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(StartsWith("1 proofs a row"), HasSubstr("peak resident")));
}

TEST_F(BenchProve, WhatIsWrongIsSaid) {
  const auto expect_error = [](const std::vector<std::string>& arguments, const std::string& text) {
    std::vector<std::string> all = {"bench", "prove"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto result = run_proofline(all);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr(text));
  };
  expect_error({}, "nothing to prove");
  expect_error({folder_.path().string()}, "expected a C1 file, or a folder with post.json or update.json");
  expect_error({post(), test::data_path("sectors/2k-2/c1.json").string(), "--params", kParams},
               "expected CIRCUIT=FILE, with one of porep-2k, wpost-2k");
}

/// What a budget lacks, by the messages, is all that it lacks.
TEST_F(BenchProve, ABudgetThatIsTooSmallSaysByHowMuch) {
  const auto prove = [&](unsigned mib) {
    return run_proofline(
        {"bench", "prove", post(), "--memory", std::to_string(mib) + "MiB", "--params", kParams, "--proofs", "1"});
  };
  /// The number of MiB after `text` in a refusal.
  const auto mib_after = [](const test::CommandResult& refused, const std::string& text) {
    EXPECT_EQ(refused.status, 2) << refused.out;
    EXPECT_THAT(refused.err, AllOf(HasSubstr(text), HasSubstr(" MiB")));
    const std::size_t at = refused.err.find(text);
    return at == std::string::npos ? 0U : static_cast<unsigned>(std::stod(refused.err.substr(at + text.size()))) + 1;
  };
  const unsigned own = mib_after(prove(1), "the program itself takes ");
  const unsigned missing = mib_after(prove(own + 30), "raise the budget by at least ");
  EXPECT_GT(missing, 1U);
  EXPECT_EQ(prove(own + 30 + missing - 10).status, 2);
  // Not every run of the program begins with the same memory.
  const auto enough = prove(own + 30 + missing + 4);
  EXPECT_EQ(enough.status, 0) << enough.err;
}

}  // namespace
}  // namespace proofline
