#pragma once
/// Progress of long work on standard error: a bar on a terminal, else a line now and then.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/progress.hpp"

namespace proofline::cli {

class ConsoleProgress final : public Progress {
 public:
  /// `quiet`: nothing is shown. `on_stage_end` is told the name of each stage when the next one begins and when the
  /// object goes.
  explicit ConsoleProgress(bool quiet, std::function<void(const std::string&)> on_stage_end = {});
  ~ConsoleProgress() override;

  void report(std::string_view stage, std::uint64_t done, std::uint64_t total) override;
  /// Ends the stage that is going on and clears the bar, so that other text can be printed.
  void end_stage();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double share, Clock::time_point now);

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_begin_{};
  Clock::time_point shown_at_{};
  std::function<void(const std::string&)> on_stage_end_;
};

}  // namespace proofline::cli
