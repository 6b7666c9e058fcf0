#include <gmock/gmock.h>

#include "base/error.hpp"
#include "cli/top.hpp"

namespace proofline::cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

Json status() {
  return Json::parse(R"({
    "version": "0.1.0", "state": "serving", "uptime_seconds": 61.5,
    "ended": {"done": 12, "failed": 1, "cancelled": 2},
    "queues": [{"kind": "porep-c2", "queued": 2, "running": 1}, {"kind": "window-post", "queued": 1, "running": 0}],
    "jobs": [
      {"id": "porep-1000-1", "kind": "porep-c2", "state": "running", "running_seconds": 3, "waited_seconds": 1,
       "partitions_total": 6, "partitions_done": 1,
       "partitions": ["done", "finish", "device", "waiting", "witness", "queued"]},
      {"id": "evil\u001b[2Jname\u009b\u00e9", "kind": "porep-c2", "state": "queued", "running_seconds": 0,
       "waited_seconds": 2, "partitions_total": 0, "partitions_done": 0, "partitions": []}],
    "jobs_left_out": 7,
    "recent": [{"id": "bad", "kind": "porep-c2", "state": "failed", "waited_seconds": 1, "running_seconds": 2,
                "error": "partition 0: is\ndamaged", "stages": []},
               {"id": "good", "kind": "porep-c2", "state": "done", "waited_seconds": 1, "running_seconds": 2,
                "error": "", "stages": [{"stage": "witness", "seconds": 0.5}, {"stage": "h", "seconds": 4}]}],
    "memory": {"resident_bytes": 2097152, "anonymous_bytes": 1048576,
               "pools": [{"pool": "host", "budget_bytes": 4194304, "reserved_bytes": 1048576, "peak_bytes": 2097152,
                          "class_bytes": {"circuit": 0, "witness": 1048576}}]},
    "devices": [{"name": "cpu", "lost": false, "work": "job 1, partition 2", "job": "porep-1000-1", "partitions": 13,
                 "failures": 0}, {"name": "gpu", "lost": true, "work": "", "job": "", "partitions": 0, "failures": 3}],
    "circuits": [{"id": "porep-2k", "state": "hot", "memory_bytes": 1048576, "parameter_file_bytes": 2097152, "uses": 3}]
  })");
}

TEST(TopView, ShowsWhatTheDaemonDoes) {
  const std::vector<std::string> lines = top_lines(status(), {.columns = 200});
  EXPECT_EQ(lines[0], "proofline 0.1.0: serving, up 61.5 s");
  EXPECT_EQ(lines[1], "jobs: 1 running, 3 waiting; 12 done, 1 failed, 2 cancelled");
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("host"), HasSubstr("[########......................] 1 MiB of 4 MiB"),
                                    HasSubstr("2 MiB at most"))));
  EXPECT_THAT(lines, Contains(HasSubstr("            witness 1 MiB")));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("cpu"), HasSubstr("13"), HasSubstr("porep-1000-1, partition 2"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("gpu"), HasSubstr("does not answer"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("porep-1000-1"), HasSubstr("running"), HasSubstr("3.00 s  1/6 #FD-w."))));
  EXPECT_THAT(lines, Contains("  and 7 more"));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("good"), HasSubstr("h 4.00 s, witness 500 ms"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("bad"), HasSubstr("failed"), HasSubstr("partition 0: is?damaged"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("porep-2k"), HasSubstr("hot"), HasSubstr("2 MiB"))));
}

TEST(TopView, NamesCannotSteerTheTerminal) {
  const std::vector<std::string> lines = top_lines(status(), {});
  EXPECT_THAT(lines, Each(Not(HasSubstr("\x1b"))));
  EXPECT_THAT(lines, Contains(HasSubstr("evil?[2Jname????")));
  for (const std::string& line : lines) {
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
  }
}

TEST(TopView, KeepsToTheTerminal) {
  const std::vector<std::string> lines = top_lines(status(), {.columns = 40, .rows = 8, .colour = false});
  EXPECT_EQ(lines.size(), 8U);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 40U);
  EXPECT_THAT(top_lines(status(), {.columns = 100, .rows = 0, .colour = true}), Contains(HasSubstr("\x1b[31m")));
}

TEST(TopView, RefusesWhatItDoesNotKnow) {
  Json lacking = status();
  lacking.erase("memory");
  Json wrong = status();
  wrong["jobs"][0]["id"] = 7;
  for (const Json& bad : {Json(), Json::array(), Json(3), lacking, wrong}) EXPECT_THROW(top_lines(bad, {}), InputError);
}

}  // namespace
}  // namespace proofline::cli
