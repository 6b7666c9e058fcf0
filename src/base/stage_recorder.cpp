#include "base/stage_recorder.hpp"

#include <algorithm>

#include "base/resident_memory.hpp"

namespace proofline {

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
