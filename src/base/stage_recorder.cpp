#include "base/stage_recorder.hpp"

#include <algorithm>
#include <fstream>

namespace proofline {

namespace {

/// A line of /proc/self/status in kB, as bytes.
std::uint64_t process_bytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoull(line.substr(key.size())) * 1024;
  }
  return 0;
}

}  // namespace

std::uint64_t peak_resident_bytes() {
  return process_bytes("VmHWM:");
}

ResidentMemory resident_memory() {
  return {process_bytes("VmRSS:"), process_bytes("RssAnon:"), process_bytes("VmHWM:")};
}

bool reset_peak_resident() {
  // proc(5): writing 5 resets the peak resident set size to the current one.
  std::ofstream clear("/proc/self/clear_refs");
  clear << '5' << std::flush;
  return clear.good();
}

StageRecorder::StageRecorder() {
  skip();
}

void StageRecorder::skip() {
  separate_peaks_ = reset_peak_resident();
  begin_ = std::chrono::steady_clock::now();
}

void StageRecorder::done(std::string_view name) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  stages_.push_back({std::string(name), elapsed.count(), peak_resident_bytes()});
  skip();
}

double StageRecorder::total_seconds() const {
  double sum = 0;
  for (const Stage& stage : stages_) sum += stage.seconds;
  return sum;
}

std::uint64_t StageRecorder::peak_rss() const {
  std::uint64_t peak = 0;
  for (const Stage& stage : stages_) peak = std::max(peak, stage.peak_rss);
  return peak;
}

}  // namespace proofline
