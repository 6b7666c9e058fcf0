#pragma once
/// Where time and memory go: named stages, one after another.
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proofline {

/// One finished stage.
struct Stage {
  std::string name;
  double seconds = 0;          ///< wall clock
  std::uint64_t peak_rss = 0;  ///< bytes; resident memory of the process, mapped file pages included
};

/// Cuts the time since it was made into stages, each named when it ends. Peak memory is the stage's own where the
/// kernel lets a process reset its high-water mark (Linux 4.0 and later), else that of the process so far.
/// Not for several threads at once.
class StageRecorder {
 public:
  StageRecorder();

  /// Ends the stage that began with the construction or the last call.
  void done(std::string_view name);
  /// Forgets what happened since the last stage ended.
  void skip();

  const std::vector<Stage>& stages() const { return stages_; }
  double total_seconds() const;
  /// Highest peak of all stages.
  std::uint64_t peak_rss() const;
  /// Whether each stage's peak is its own.
  bool separate_peaks() const { return separate_peaks_; }

 private:
  std::vector<Stage> stages_;
  std::chrono::steady_clock::time_point begin_;
  bool separate_peaks_ = false;
};

/// The process's highest resident memory in bytes since its start or the last reset; 0 where /proc does not tell.
std::uint64_t peak_resident_bytes();

/// The process's memory in bytes; 0 where /proc does not tell.
struct ResidentMemory {
  std::uint64_t all = 0;        ///< mapped file pages included
  std::uint64_t anonymous = 0;  ///< without them
  std::uint64_t peak = 0;       ///< of `all`, as peak_resident_bytes()
};
ResidentMemory resident_memory();

/// Starts the high-water mark anew from what is resident now. False where the kernel does not allow it.
bool reset_peak_resident();

}  // namespace proofline
