// simulate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::run_proofline;
using test::TempFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string text_of(const std::filesystem::path& path) {
  const auto bytes = test::read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

TEST(SimulateCommand, TheSeedStudyShowsTheJumpUnderOnePolicyOnly) {
  const auto result = run_proofline({"simulate", "--workers", "10,12", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rows = result.json().at("rows");
  ASSERT_EQ(rows.size(), 6);
  const auto peak_gib = [&](std::size_t row) { return rows.at(row).at("peak_host_bytes").get<double>() / (1 << 30); };
  EXPECT_EQ(rows.at(0).at("policy"), "release-after-synthesis");
  EXPECT_LT(peak_gib(0), 400);
  EXPECT_GT(peak_gib(1), 600);
  EXPECT_EQ(rows.at(1).at("peak_queued"), 28);
  for (std::size_t row = 2; row < 6; ++row) EXPECT_LT(peak_gib(row), 367) << row;
  EXPECT_TRUE(rows.at(1).at("exceeded_at").is_null());
  EXPECT_EQ(result.json().at("simulated"), true);
}

TEST(SimulateCommand, TableAndCsvHaveARowEach) {
  const auto table = run_proofline({"simulate", "--policy", "ledger", "--workers", "12", "--budget", "200GiB"});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(StartsWith("simulated, not measured"), HasSubstr("ledger "), HasSubstr("never")));
  const auto csv = run_proofline({"simulate", "--workers", "9,14", "--policy", "all", "--proofs", "30", "--csv"});
  ASSERT_EQ(csv.status, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("policy,workers,seconds_per_proof,"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 7);
  EXPECT_THAT(csv.out, HasSubstr("\nhold-through-handover,14,37."));
}

TEST(SimulateCommand, APrintedConfigurationIsReadAgain) {
  const TempFolder folder;
  const auto printed = run_proofline({"simulate", "--print-config", "--jitter", "0.25", "--in-flight", "3"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  const std::string file = (folder / "mine.json").string();
  std::ofstream(file) << printed.out;
  EXPECT_EQ(run_proofline({"simulate", "--config", file, "--print-config"}).out, printed.out);
  const auto rows = run_proofline({"simulate", "--config", file, "--json"}).json().at("rows");
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows.at(0).at("workers"), 10);
}

TEST(SimulateCommand, ThePlotHasAPanelForEachRow) {
  const TempFolder folder;
  const auto result = run_proofline({"simulate", "--workers", "10,14", "--plot", (folder / "p.svg").string()});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string svg = text_of(folder / "p.svg");
  EXPECT_THAT(svg, AllOf(StartsWith("<svg "), HasSubstr("ledger, 14 workers: "), testing::EndsWith("</svg>\n"),
                         testing::Not(HasSubstr("nan")), testing::Not(HasSubstr("inf"))));
  std::size_t panels = 0;
  for (std::size_t at = svg.find("class=\"title\""); at != std::string::npos; at = svg.find("class=\"title\"", at + 1))
    ++panels;
  EXPECT_EQ(panels, 6);
}

TEST(SimulateCommand, MistakesAreNamed) {
  const TempFolder folder;
  const std::string file = (folder / "bad.json").string();
  std::ofstream(file) << R"({"device_secs": 1})";
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const auto result = run_proofline(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error_of({"simulate", "--config", file}), AllOf(HasSubstr("bad.json: "), HasSubstr("device_secs")));
  EXPECT_THAT(error_of({"simulate", "--config", "nowhere.json"}), HasSubstr("nowhere.json"));
  EXPECT_THAT(error_of({"simulate", "--policy", "hold"}), HasSubstr("policy: \"hold\""));
  EXPECT_THAT(error_of({"simulate", "--workers", "0"}), HasSubstr("--workers"));
  EXPECT_THAT(error_of({"simulate", "--budget", "80GiB"}), HasSubstr("budget_bytes: 80 GiB"));
  EXPECT_THAT(error_of({"simulate", "--jitter", "2"}), HasSubstr("jitter: 2"));
  EXPECT_THAT(error_of({"simulate", "--csv", "--json"}), HasSubstr("excludes"));
}

}  // namespace
}  // namespace proofline
