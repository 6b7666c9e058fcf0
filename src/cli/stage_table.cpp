#include "cli/stage_table.hpp"

#include <fmt/format.h>

#include "base/units.hpp"

namespace proofline::cli {

Json stages_json(const StageRecorder& recorder) {
  Json stages = Json::array();
  for (const Stage& stage : recorder.stages()) {
    stages.push_back({{"stage", stage.name}, {"seconds", stage.seconds}, {"peak_rss", stage.peak_rss}});
  }
  return stages;
}

void print_stages(const StageRecorder& recorder) {
  const double total = recorder.total_seconds();
  fmt::print("  {:<28}{:>12}{:>8}{:>16}\n", "stage", "time", "share", "peak memory");
  for (const Stage& stage : recorder.stages()) {
    fmt::print("  {:<28}{:>12}{:>6.1f} %{:>16}\n", stage.name, format_seconds(stage.seconds),
               total > 0 ? 100 * stage.seconds / total : 0.0, format_bytes(stage.peak_rss));
  }
  fmt::print("  {:<28}{:>12}{:>8}{:>16}\n", "all", format_seconds(total), "", format_bytes(recorder.peak_rss()));
}

}  // namespace proofline::cli
