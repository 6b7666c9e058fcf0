#include "service/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace proofline::service {
namespace {

/// Bytes that are no UTF-8 become U+FFFD: ids come from outside.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_value(const std::string& value) {
  const bool is_plain = !value.empty() && std::ranges::all_of(value, [](unsigned char c) {
    return c > ' ' && c < 127 && c != '"' && c != '=' && c != '\\';
  });
  return is_plain ? value : json_text(value);
}

}  // namespace

std::string text_line(std::string_view event, LogFields fields) {
  std::string out(event);
  for (const auto& [name, value] : fields) {
    out += " ";
    out += name;
    out += "=" + text_value(value);
  }
  return out;
}

std::string json_members(std::string_view event, LogFields fields) {
  std::string out = "\"event\":" + json_text(event);
  for (const auto& [name, value] : fields) out += "," + json_text(name) + ":" + json_text(value);
  return out;
}

struct Log::State {
  std::shared_ptr<spdlog::logger> logger;
  LogFormat format;

  void write(spdlog::level::level_enum level, std::string_view event, LogFields fields) const {
    if (!logger->should_log(level)) return;
    const std::string line = format == LogFormat::kJson ? json_members(event, fields) : text_line(event, fields);
    logger->log(level, spdlog::string_view_t(line.data(), line.size()));
  }
};

Log::Log(const LoggingConfig& config) : state_(std::make_unique<State>()) {
  state_->format = config.format;
  state_->logger =
      std::make_shared<spdlog::logger>("proofline", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  state_->logger->set_pattern(config.format == LogFormat::kJson ? R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l",%v})"
                                                                : "%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
  state_->logger->set_error_handler([](const std::string&) {});
  set_level(config.level);
}

Log::~Log() = default;

void Log::set_level(const std::string& level) {
  state_->logger->set_level(spdlog::level::from_str(level));
  state_->logger->flush_on(spdlog::level::trace);
}

void Log::debug(std::string_view event, LogFields fields) const {
  state_->write(spdlog::level::debug, event, fields);
}

void Log::info(std::string_view event, LogFields fields) const {
  state_->write(spdlog::level::info, event, fields);
}

void Log::warn(std::string_view event, LogFields fields) const {
  state_->write(spdlog::level::warn, event, fields);
}

void Log::error(std::string_view event, LogFields fields) const {
  state_->write(spdlog::level::err, event, fields);
}

}  // namespace proofline::service
