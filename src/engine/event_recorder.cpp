#include "engine/event_recorder.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"

namespace proofline::engine {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace

void EventRecorder::span(std::string_view track, std::string_view name, std::string_view subject,
                         Clock::time_point begin, Clock::time_point end) {
  add({Event::Kind::kSpan, std::string(name), std::string(track), std::string(subject), begin, end, 0});
}

void EventRecorder::counter(std::string_view name, std::uint64_t value, Clock::time_point at) {
  add({Event::Kind::kCounter, std::string(name), {}, {}, at, at, value});
}

void EventRecorder::add(Event event) {
  const std::lock_guard lock(mutex_);
  if (events_.size() == capacity_) {
    events_.pop_front();
    ++forgotten_;
  }
  events_.push_back(std::move(event));
}

EventRecorder::Contents EventRecorder::contents() const {
  const std::lock_guard lock(mutex_);
  return {start_, {events_.begin(), events_.end()}, forgotten_};
}

double busy_share(const EventRecorder::Contents& contents, std::string_view track, std::string_view name,
                  Clock::time_point from, Clock::time_point to) {
  if (to <= from) return 0;
  std::vector<std::pair<Clock::time_point, Clock::time_point>> spans;
  for (const Event& event : contents.events) {
    if (event.kind != Event::Kind::kSpan || event.track != track || event.name != name) continue;
    const auto begin = std::max(event.begin, from), end = std::min(event.end, to);
    if (begin < end) spans.emplace_back(begin, end);
  }
  std::ranges::sort(spans);
  Clock::duration busy{};
  Clock::time_point covered = from;
  for (const auto& [begin, end] : spans) {
    if (end <= covered) continue;
    busy += end - std::max(begin, covered);
    covered = end;
  }
  return std::chrono::duration<double>(busy) / std::chrono::duration<double>(to - from);
}

void write_chrome_trace(const EventRecorder::Contents& contents, const std::filesystem::path& path) {
  Json events = Json::array();
  std::map<std::string, int> rows;
  for (const Event& event : contents.events) {
    const double at = microseconds(event.begin - contents.start);
    if (event.kind == Event::Kind::kCounter) {
      events.push_back({{"ph", "C"}, {"pid", 1}, {"name", event.name}, {"ts", at}, {"args", {{"value", event.value}}}});
      continue;
    }
    const auto [row, is_new] = rows.try_emplace(event.track, static_cast<int>(rows.size()) + 1);
    if (is_new) {
      events.push_back(
          {{"ph", "M"}, {"pid", 1}, {"tid", row->second}, {"name", "thread_name"}, {"args", {{"name", event.track}}}});
    }
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", row->second},
                      {"name", event.name},
                      {"ts", at},
                      {"dur", microseconds(event.end - event.begin)},
                      {"args", {{"subject", event.subject}}}});
  }
  const Json document = {{"displayTimeUnit", "ms"},
                         {"otherData", {{"program", "proofline"}, {"forgotten events", contents.forgotten}}},
                         {"traceEvents", std::move(events)}};
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  AtomicFile file(path);
  file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  file.commit();
}

}  // namespace proofline::engine
