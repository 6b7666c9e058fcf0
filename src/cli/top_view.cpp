#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/units.hpp"
#include "cli/top.hpp"

namespace proofline::cli {
namespace {

constexpr std::string_view kBold = "1", kGood = "32", kBad = "31", kQuiet = "2";

std::string printable(const Json& text) {
  std::string out = text.get<std::string>();
  std::ranges::replace_if(
      out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string fitted(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width - 2) + "..";
  return fmt::format("{:<{}}", text, width);
}

std::uint64_t number(const Json& value) {
  return value.get<std::uint64_t>();
}

std::string time(const Json& value) {
  return format_seconds(value.get<double>());
}

class Screen {
 public:
  explicit Screen(const TopView& view) : view_(view) {}
  void line(std::string text, std::string_view style = "") {
    if (text.size() > view_.columns) text.resize(view_.columns);
    if (view_.colour && !style.empty()) text = fmt::format("\x1b[{}m{}\x1b[0m", style, text);
    if (view_.rows == 0 || lines_.size() < view_.rows) lines_.push_back(std::move(text));
  }
  void title(const std::string& text) {
    line("");
    line(text, kBold);
  }
  std::vector<std::string> result() { return std::move(lines_); }

 private:
  TopView view_;
  std::vector<std::string> lines_;
};

/// "[#####.....]"
std::string bar(std::uint64_t part, std::uint64_t whole) {
  constexpr std::size_t kWidth = 30;
  const double share = whole == 0 ? 0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
  const auto full = static_cast<std::size_t>(share * kWidth + 0.5);
  return "[" + std::string(full, '#') + std::string(kWidth - full, '.') + "]";
}

char letter(const std::string& stage) {
  if (stage == "witness") return 'w';
  if (stage == "waiting") return '-';
  if (stage == "device") return 'D';
  if (stage == "finish") return 'F';
  return stage == "done" ? '#' : '.';
}

void add_header(Screen& out, const Json& status) {
  std::uint64_t queued = 0, running = 0;
  for (const Json& queue : status.at("queues")) {
    queued += number(queue.at("queued"));
    running += number(queue.at("running"));
  }
  const std::string state = printable(status.at("state"));
  const Json& ended = status.at("ended");
  out.line(
      fmt::format("proofline {}: {}, up {}", printable(status.at("version")), state, time(status.at("uptime_seconds"))),
      state == "serving" ? kGood : kBad);
  out.line(fmt::format("jobs: {} running, {} waiting; {} done, {} failed, {} cancelled", running, queued,
                       number(ended.at("done")), number(ended.at("failed")), number(ended.at("cancelled"))));
}

void add_memory(Screen& out, const Json& memory) {
  out.title("memory");
  for (const Json& pool : memory.at("pools")) {
    const std::uint64_t reserved = number(pool.at("reserved_bytes")), budget = number(pool.at("budget_bytes"));
    out.line(fmt::format("  {:<9} {} {} of {} reserved, {} at most", printable(pool.at("pool")), bar(reserved, budget),
                         format_bytes(reserved), format_bytes(budget), format_bytes(number(pool.at("peak_bytes")))));
    std::string classes;
    for (const auto& [name, bytes] : pool.at("class_bytes").items()) {
      if (number(bytes) > 0)
        classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", printable(name), format_bytes(number(bytes)));
    }
    if (!classes.empty()) out.line("            " + classes, kQuiet);
  }
  out.line(fmt::format("  resident  {}, without mapped files {}", format_bytes(number(memory.at("resident_bytes"))),
                       format_bytes(number(memory.at("anonymous_bytes")))));
}

void add_devices(Screen& out, const Json& devices) {
  out.title(fmt::format("  {:<16}{:>8}{:>10}  {}", "device", "proved", "failures", "works on"));
  for (const Json& device : devices) {
    const bool lost = device.at("lost").get<bool>();
    std::string work = printable(device.at("work"));
    const std::string job = printable(device.at("job"));
    if (const std::size_t comma = work.find(','); !job.empty() && comma != std::string::npos)
      work = job + work.substr(comma);
    if (work.empty()) work = device.value("fallback", false) ? "stands by" : "nothing";
    out.line(
        fmt::format("  {}{:>8}{:>10}  {}", fitted(printable(device.at("name")), 16), number(device.at("partitions")),
                    number(device.at("failures")), lost ? work + " (does not answer)" : work),
        lost ? kBad : "");
  }
}

void add_jobs(Screen& out, const Json& status) {
  out.title(fmt::format("  {:<34}{:<13}{:<9}{:>9}  {}", "job", "kind", "state", "for", "partitions"));
  for (const Json& job : status.at("jobs")) {
    const std::string state = printable(job.at("state"));
    std::string partitions;
    for (const Json& stage : job.at("partitions")) partitions += letter(stage.get<std::string>());
    if (number(job.at("partitions_total")) > 0) {
      partitions =
          fmt::format("{}/{} {}", number(job.at("partitions_done")), number(job.at("partitions_total")), partitions);
    }
    out.line(fmt::format("  {}{:<13}{:<9}{:>9}  {}", fitted(printable(job.at("id")), 33) + " ",
                         printable(job.at("kind")), state,
                         time(job.at(state == "running" ? "running_seconds" : "waited_seconds")), partitions));
  }
  const std::uint64_t more = number(status.at("jobs_left_out"));
  if (more > 0) out.line(fmt::format("  and {} more", more));
  if (status.at("jobs").empty()) out.line("  none", kQuiet);
  out.line("  . not begun  w witness  - waits for a device  D on a device  F is finished  # done", kQuiet);
}

void add_recent(Screen& out, const Json& recent) {
  out.title(
      fmt::format("  {:<34}{:<13}{:<10}{:>9}{:>9}  {}", "last", "kind", "outcome", "waited", "ran", "most time in"));
  for (const Json& job : recent) {
    const std::string state = printable(job.at("state"));
    std::vector<std::pair<double, std::string>> stages;
    for (const Json& stage : job.at("stages"))
      stages.emplace_back(stage.at("seconds").get<double>(), printable(stage.at("stage")));
    std::ranges::sort(stages, std::greater<>());
    std::string most = job.at("error").get<std::string>().empty() ? "" : printable(job.at("error"));
    for (std::size_t i = 0; most.size() < 60 && state == "done" && i < std::min<std::size_t>(stages.size(), 3); ++i)
      most += fmt::format("{}{} {}", i == 0 ? "" : ", ", stages[i].second, format_seconds(stages[i].first));
    out.line(fmt::format("  {}{:<13}{:<10}{:>9}{:>9}  {}", fitted(printable(job.at("id")), 33) + " ",
                         printable(job.at("kind")), state, time(job.at("waited_seconds")),
                         time(job.at("running_seconds")), most),
             state == "done" || state == "cancelled" ? "" : kBad);
  }
  if (recent.empty()) out.line("  none since the daemon started", kQuiet);
}

void add_circuits(Screen& out, const Json& circuits) {
  if (circuits.empty()) return;
  out.title(fmt::format("  {:<16}{:<9}{:>12}{:>12}{:>7}", "circuit", "state", "memory", "parameters", "uses"));
  for (const Json& circuit : circuits) {
    const std::string state = printable(circuit.at("state"));
    out.line(fmt::format("  {}{:<9}{:>12}{:>12}{:>7}", fitted(printable(circuit.at("id")), 15) + " ", state,
                         format_bytes(number(circuit.at("memory_bytes"))),
                         format_bytes(number(circuit.at("parameter_file_bytes"))), number(circuit.at("uses"))),
             state == "missing" ? kBad : "");
  }
}

}  // namespace

std::vector<std::string> top_lines(const Json& status, const TopView& view) {
  Screen out(view);
  try {
    add_header(out, status);
    add_memory(out, status.at("memory"));
    add_devices(out, status.at("devices"));
    add_jobs(out, status);
    add_recent(out, status.at("recent"));
    add_circuits(out, status.at("circuits"));
  } catch (const Json::exception& error) {
    throw InputError(std::string("the daemon's status is not as expected: ") + error.what());
  }
  return out.result();
}

}  // namespace proofline::cli
