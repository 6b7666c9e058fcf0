// Help, usage errors and exit statuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace proofline {
namespace {

using test::CommandResult;
using test::run_proofline;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// One clear line on standard error, nothing on standard output, status 2.
void expect_error(const CommandResult& result, const std::string& text) {
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(StartsWith("proofline: error: "), EndsWith("\n"), HasSubstr(text)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Usage, HelpIsNoError) {
  for (const auto& arguments :
       std::initializer_list<std::initializer_list<std::string>>{{"--help"},
                                                                 {"-h"},
                                                                 {"sector", "--help"},
                                                                 {"verify", "porep", "--help"},
                                                                 {"circuit", "stats", "-h"},
                                                                 {"update", "--help"},
                                                                 {"update", "vanilla", "--help"},
                                                                 {"prove", "update", "--help"},
                                                                 {"verify", "update", "-h"}}) {
    const CommandResult result = run_proofline(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, HasSubstr("Usage: proofline"));
    EXPECT_THAT(result.err, IsEmpty());
  }
}

TEST(Usage, TopLevelHelpNamesTheRoadAndTheStatuses) {
  EXPECT_THAT(run_proofline({"--help"}).out,
              AllOf(HasSubstr("sector seal"), HasSubstr("params generate"), HasSubstr("prove porep"),
                    HasSubstr("verify porep"), HasSubstr("demo"), HasSubstr("Exit status: 0 done; 1")));
}

TEST(Usage, Version) {
  EXPECT_THAT(run_proofline({"--version"}).out, testing::MatchesRegex("proofline [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Usage, MistakesAreNamed) {
  expect_error(run_proofline({}), "A subcommand is required (see proofline --help)");
  expect_error(run_proofline({"sector"}), "A subcommand is required (see proofline sector --help)");
  expect_error(run_proofline({"bogus"}), "\"bogus\" (see proofline --help)");
  expect_error(run_proofline({"sector", "bogus"}), "\"bogus\" (see proofline sector --help)");
  expect_error(run_proofline({"circuit", "stats", "--sector", "2KiB", "--bogus"}), "\"--bogus\"");
  expect_error(run_proofline({"circuit", "stats"}), "--sector is required (see proofline circuit stats --help)");
  expect_error(run_proofline({"circuit", "stats", "--sector", "2KiB", "--threads", "0"}), "--threads");
  expect_error(run_proofline({"circuit", "stats", "--sector", "2KiB", "--proof", "x"}), "--proof");
  expect_error(run_proofline({"verify", "porep", "p", "--vk", "k"}), "--sector,--c1,--registered-proof");
  expect_error(run_proofline({"verify", "porep", "p", "--sector", "s"}), "--params,--vk");
  expect_error(run_proofline({"verify", "porep", "p", "--vk", "k", "--registered-proof", "x"}), "requires");
  expect_error(run_proofline({"verify", "update", "p", "--vk", "k", "--size", "2KiB"}), "requires");
  expect_error(run_proofline({"verify", "update", "p", "--update", "u"}), "--params,--vk");
}

TEST(Usage, FullDiskBehindStandardOutput) {
  const CommandResult result = run_proofline({"circuit", "stats", "--sector", "2KiB", "--quiet"}, ">/dev/full");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "proofline: error: standard output cannot be written\n");
}

}  // namespace
}  // namespace proofline
