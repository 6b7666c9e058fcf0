#pragma once
/// What happened when in the engine: stages of partitions and how much memory is reserved, kept in a ring and written
/// as a trace that Perfetto and Chrome's about:tracing open.
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace proofline::engine {

using Clock = std::chrono::steady_clock;

/// A stage of a partition's work, or the value of a counter from `begin` on.
struct Event {
  enum class Kind { kSpan, kCounter };
  Kind kind = Kind::kSpan;
  std::string name;
  std::string track;    ///< of a span: the row that it is drawn in, for example "witness worker 3" or "device 0"
  std::string subject;  ///< of a span: whose work it was, for example "job 17, partition 4"
  Clock::time_point begin, end;
  std::uint64_t value = 0;  ///< of a counter
};

/// The last `capacity` events. May be used from several threads.
class EventRecorder {
 public:
  /// capacity >= 1.
  explicit EventRecorder(std::size_t capacity) : capacity_(capacity), start_(Clock::now()) {}
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void span(std::string_view track, std::string_view name, std::string_view subject, Clock::time_point begin,
            Clock::time_point end);
  void counter(std::string_view name, std::uint64_t value, Clock::time_point at = Clock::now());

  struct Contents {
    Clock::time_point start;      ///< when recording began
    std::vector<Event> events;    ///< by the time of their recording
    std::uint64_t forgotten = 0;  ///< earlier ones that the ring had no room for
  };
  Contents contents() const;

 private:
  void add(Event event);

  mutable std::mutex mutex_;
  std::size_t capacity_;
  Clock::time_point start_;
  std::deque<Event> events_;
  std::uint64_t forgotten_ = 0;
};

/// Records the time from its making to its destruction.
class RecordedSpan {
 public:
  /// The recorder must outlive it; a null one records nothing.
  RecordedSpan(EventRecorder* recorder, std::string track, std::string name, std::string subject)
      : recorder_(recorder),
        track_(std::move(track)),
        name_(std::move(name)),
        subject_(std::move(subject)),
        begin_(Clock::now()) {}
  RecordedSpan(const RecordedSpan&) = delete;
  RecordedSpan& operator=(const RecordedSpan&) = delete;
  ~RecordedSpan() {
    if (recorder_ != nullptr) recorder_->span(track_, name_, subject_, begin_, Clock::now());
  }

 private:
  EventRecorder* recorder_;
  std::string track_, name_, subject_;
  Clock::time_point begin_;
};

/// The share of [from, to) in which the track had a span with this name, from 0 to 1. Overlapping spans count once.
double busy_share(const EventRecorder::Contents& contents, std::string_view track, std::string_view name,
                  Clock::time_point from, Clock::time_point to);

/// Chrome's trace event format (JSON object form): a row for each track, a graph for each counter, times in
/// microseconds since recording began. Replaces the file when all is written; throws IoError.
void write_chrome_trace(const EventRecorder::Contents& contents, const std::filesystem::path& path);

}  // namespace proofline::engine
