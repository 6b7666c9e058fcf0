#include "cli/console_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/units.hpp"

namespace proofline::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineEvery = std::chrono::seconds(10);
constexpr int kBarWidth = 30;

}  // namespace

ConsoleProgress::ConsoleProgress(bool quiet, std::function<void(const std::string&)> on_stage_end)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1), on_stage_end_(std::move(on_stage_end)) {}

ConsoleProgress::~ConsoleProgress() {
  end_stage();
}

void ConsoleProgress::report(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    end_stage();
    stage_ = stage;
    stage_begin_ = shown_at_ = now;
  }
  if (quiet_ || now - shown_at_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLineEvery))) return;
  shown_at_ = now;
  show(total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total), now);
}

void ConsoleProgress::show(double share, Clock::time_point now) {
  share = std::clamp(share, 0.0, 1.0);
  const double elapsed = seconds_between(stage_begin_, now);
  std::string text = fmt::format("{:3.0f} %  {}", 100 * share, format_seconds(elapsed));
  if (share > 0.02) text += fmt::format(", about {} left", format_seconds(elapsed * (1 - share) / share));
  if (!terminal_) {
    fmt::print(stderr, "{}: {}\n", stage_, text);
    return;
  }
  const int filled = static_cast<int>(kBarWidth * share);
  fmt::print(stderr, "\r\033[K{:<16} [{:#<{}}{:.<{}}] {}", stage_, "", filled, "", kBarWidth - filled, text);
  std::fflush(stderr);
  drawn_ = true;
}

void ConsoleProgress::end_stage() {
  if (drawn_) {
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    drawn_ = false;
  }
  if (stage_.empty()) return;
  const std::string ended = std::exchange(stage_, {});
  if (on_stage_end_) on_stage_end_(ended);
}

}  // namespace proofline::cli
