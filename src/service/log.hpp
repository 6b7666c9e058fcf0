#pragma once
/// The daemon's log: a line an event, on standard error, as text or as JSON. No secret and no payload goes into it.
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "service/config.hpp"

namespace proofline::service {

/// What an event is about: {"job", "porep-1000-1"}.
using LogField = std::pair<std::string_view, std::string>;
using LogFields = std::initializer_list<LogField>;

/// May be used from several threads. Its functions do not throw.
class Log {
 public:
  explicit Log(const LoggingConfig& config);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  void debug(std::string_view event, LogFields fields = {}) const;
  void info(std::string_view event, LogFields fields = {}) const;
  void warn(std::string_view event, LogFields fields = {}) const;
  void error(std::string_view event, LogFields fields = {}) const;
  /// One of the names that logging.level takes.
  void set_level(const std::string& level);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "event job=porep-1000-1 error="two words"": values with spaces, quotes or control characters are quoted and escaped.
std::string text_line(std::string_view event, LogFields fields);
/// Members of a JSON object, without braces: "event":"...","job":"..."
std::string json_members(std::string_view event, LogFields fields);

}  // namespace proofline::service
