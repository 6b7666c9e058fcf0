#include "service/config_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "base/units.hpp"
#include "filecoin/circuit_id.hpp"

namespace proofline::service {
namespace {

InputError wrong(const Setting& setting, std::string_view expected) {
  return InputError(fmt::format("{}: expected {}", setting.where, expected));
}

const std::string* as_text(const Setting& setting) {
  return std::get_if<std::string>(&setting.value);
}

std::optional<std::int64_t> parse_integer(std::string_view text, int base = 10) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return out;
}

unsigned file_mode(const Setting& setting) {
  const auto mode = parse_integer(setting.text(), 8);
  if (!mode || *mode < 0 || *mode > 0777) throw wrong(setting, "permissions in octal, as text: \"0660\"");
  return static_cast<unsigned>(*mode);
}

std::string one_of(const Setting& setting, std::span<const std::string_view> names) {
  if (std::ranges::find(names, setting.text()) != names.end()) return setting.text();
  throw InputError(fmt::format("{}: \"{}\" is not known; the nearest is \"{}\" (of {})", setting.where, setting.text(),
                               nearest_name(setting.text(), names), fmt::join(names, ", ")));
}

unsigned device_number(const Setting& setting, std::string_view text, std::string_view expected) {
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number > 1023) throw wrong(setting, expected);
  return static_cast<unsigned>(*number);
}

std::map<unsigned, std::vector<filecoin::CircuitKind>> devices_for_kinds(const Setting& setting) {
  constexpr std::string_view kExpected = "devices and their kinds: [\"1: winning-post window-post\"]";
  std::map<unsigned, std::vector<filecoin::CircuitKind>> out;
  for (const std::string& one : setting.list()) {
    const std::size_t colon = one.find(':');
    if (colon == std::string::npos) throw wrong(setting, kExpected);
    std::vector<filecoin::CircuitKind>& kinds =
        out[device_number(setting, std::string_view(one).substr(0, colon), kExpected)];
    std::istringstream names(one.substr(colon + 1));
    for (std::string name; names >> name;) {
      try {
        kinds.push_back(filecoin::circuit_kind(name));
      } catch (const InputError& error) {
        throw InputError(setting.where + ": " + error.what());
      }
    }
    if (kinds.empty()) throw wrong(setting, kExpected);
  }
  return out;
}

constexpr std::array<std::string_view, 6> kLevels = {"trace", "debug", "info", "warn", "error", "off"};
constexpr std::array<std::string_view, 2> kFormats = {"text", "json"};

// A key whose change takes effect at once, and one whose change needs a restart.
#define PROOFLINE_LIVE(SECTION, FIELD, VALUE)                                                    \
  ConfigKey {                                                                                    \
#SECTION, #FIELD, [](Config & c, const Setting& s) { c.SECTION.FIELD = VALUE; }, nullptr, {} \
  }
#define PROOFLINE_FIXED(SECTION, FIELD, VALUE)                                                                         \
  ConfigKey {                                                                                                          \
#SECTION, #FIELD,                                                                                                  \
        [](Config & c,                                                                                                 \
           const Setting&                                                                                              \
               s) { c.SECTION.FIELD = VALUE; }, [](const Config& a,                                                    \
                                                   const Config& b) { return a.SECTION.FIELD == b.SECTION.FIELD; }, {} \
  }

constexpr ConfigKey without_meaning(std::string_view section, std::string_view name, std::string_view instead) {
  return {section, name, nullptr, nullptr, instead};
}

const std::array kKeys = {
    PROOFLINE_FIXED(daemon, listen, s.text()),
    PROOFLINE_FIXED(daemon, status_listen, s.text()),
    PROOFLINE_FIXED(daemon, socket_mode, file_mode(s)),
    PROOFLINE_FIXED(daemon, state_dir, s.text()),
    PROOFLINE_FIXED(daemon, insecure, s.flag()),
    PROOFLINE_LIVE(daemon, token_file, s.text()),
    PROOFLINE_FIXED(daemon, tls_certificate, s.text()),
    PROOFLINE_FIXED(daemon, tls_key, s.text()),
    PROOFLINE_FIXED(daemon, tls_client_ca, s.text()),
    PROOFLINE_FIXED(daemon, max_message_size, s.bytes()),
    PROOFLINE_FIXED(daemon, max_uploads, static_cast<unsigned>(s.number(1, 1024))),
    PROOFLINE_FIXED(daemon, upload_timeout, s.duration()),
    PROOFLINE_FIXED(daemon, max_calls, static_cast<unsigned>(s.number(1, 10'000))),
    PROOFLINE_LIVE(daemon, max_jobs_per_client, s.count()),
    PROOFLINE_LIVE(daemon, max_requests_per_second, s.count()),
    PROOFLINE_LIVE(daemon, drain_timeout, s.duration()),
    PROOFLINE_LIVE(daemon, keep_results, s.duration()),

    PROOFLINE_FIXED(srs, param_cache, s.text()),
    PROOFLINE_FIXED(srs, circuit_cache, s.text()),
    PROOFLINE_FIXED(srs, circuits, s.circuits()),
    PROOFLINE_FIXED(srs, preload, s.circuits()),
    PROOFLINE_FIXED(srs, published, s.text()),

    ConfigKey{"memory",
              "total_budget",
              [](Config& c, const Setting& s) {
                const std::string* text = as_text(s);
                c.memory.total_budget = text != nullptr && *text == "auto" ? std::nullopt : std::optional(s.bytes());
              },
              [](const Config& a, const Config& b) { return a.memory.total_budget == b.memory.total_budget; },
              {}},
    PROOFLINE_FIXED(memory, safety_margin, s.bytes()),
    without_meaning("memory", "eviction_min_idle", "idle circuits go when others need their memory, and not before"),
    PROOFLINE_FIXED(memory, pinned_budget, s.bytes()),
    without_meaning("memory", "working_memory_budget", "memory.total_budget"),

    ConfigKey{"gpus",
              "devices",
              [](Config& c, const Setting& s) {
                c.gpus.devices.clear();
                for (const std::string& one : s.list()) {
                  const unsigned device = device_number(s, one, "numbers of devices: [0, 1]");
                  if (std::ranges::find(c.gpus.devices, device) != c.gpus.devices.end())
                    throw wrong(s, "each device once: [0, 1]");
                  c.gpus.devices.push_back(device);
                }
              },
              [](const Config& a, const Config& b) { return a.gpus.devices == b.gpus.devices; },
              {}},
    PROOFLINE_FIXED(gpus, memory, s.bytes()),
    PROOFLINE_FIXED(gpus, cpu_fallback, s.flag()),
    PROOFLINE_FIXED(gpus, only_for, devices_for_kinds(s)),
    without_meaning("gpus", "gpu_threads", "synthesis.threads"),
    without_meaning("gpus", "gpu_workers_per_device", "a device always has its next partition ready"),

    PROOFLINE_FIXED(scheduler, proofs_in_flight, s.count()),
    PROOFLINE_LIVE(scheduler, max_queue, static_cast<unsigned>(s.number(1, 1'000'000))),
    PROOFLINE_LIVE(scheduler, job_timeout, s.duration()),
    PROOFLINE_FIXED(scheduler, step_timeout, s.duration()),
    PROOFLINE_FIXED(scheduler, critical_circuits, s.circuits()),
    without_meaning("scheduler", "max_batch_size", "partitions of several jobs share the devices without batches"),
    without_meaning("scheduler", "max_batch_wait_ms", "nothing waits for a batch"),
    without_meaning("scheduler", "sort_by_type", "jobs go by priority, then age"),

    PROOFLINE_FIXED(synthesis, threads, s.count(4096)),
    PROOFLINE_FIXED(synthesis, witness_workers, s.count(4096)),
    without_meaning("synthesis", "partition_workers", "memory.total_budget, or synthesis.witness_workers"),

    without_meaning("pipeline", "enabled", "witnesses are always made while devices work"),
    without_meaning("pipeline", "synthesis_lookahead", "synthesis.witness_workers"),
    without_meaning("pipeline", "synthesis_concurrency", "synthesis.witness_workers"),
    without_meaning("pipeline", "max_parallel_synthesis", "synthesis.witness_workers"),
    without_meaning("pipeline", "slot_size", "every partition is a unit of work"),
    without_meaning("pipeline", "max_gpu_queue_depth", "synthesis.witness_workers"),

    PROOFLINE_LIVE(logging, level, one_of(s, kLevels)),
    ConfigKey{"logging",
              "format",
              [](Config& c, const Setting& s) {
                c.logging.format = one_of(s, kFormats) == "json" ? LogFormat::kJson : LogFormat::kText;
              },
              [](const Config& a, const Config& b) { return a.logging.format == b.logging.format; },
              {}},
};

#undef PROOFLINE_LIVE
#undef PROOFLINE_FIXED

}  // namespace

bool Setting::flag() const {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (is_text && (text() == "true" || text() == "1")) return true;
  if (is_text && (text() == "false" || text() == "0")) return false;
  throw wrong(*this, "true or false");
}

std::int64_t Setting::number(std::int64_t least, std::int64_t most) const {
  std::optional<std::int64_t> number;
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) number = *integer;
  if (is_text) number = parse_integer(text());
  if (!number || *number < least || *number > most)
    throw wrong(*this, fmt::format("a number from {} to {}", least, most));
  return *number;
}

const std::string& Setting::text() const {
  if (const std::string* text = as_text(*this)) return *text;
  throw wrong(*this, "text in quotes");
}

std::vector<std::string> Setting::list() const {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
  if (!is_text) throw wrong(*this, "a list: [\"...\"]");
  std::vector<std::string> out;
  std::string_view rest = text();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::uint64_t Setting::bytes() const {
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value); integer != nullptr && *integer >= 0)
    return static_cast<std::uint64_t>(*integer);
  if (as_text(*this) == nullptr) throw wrong(*this, "a size: \"256MiB\"");
  return parse_bytes(text(), where);
}

milliseconds Setting::duration() const {
  if (std::holds_alternative<std::int64_t>(value)) return std::chrono::seconds(number(0, INT32_MAX));
  if (as_text(*this) == nullptr) throw wrong(*this, "a time: \"5m\"");
  return parse_duration(text(), where);
}

std::vector<std::string> Setting::circuits() const {
  std::vector<std::string> out = list();
  for (const std::string& id : out) {
    try {
      filecoin::parse_circuit_id(id);
    } catch (const InputError& error) {
      throw InputError(where + ": " + error.what());
    }
  }
  return out;
}

std::span<const ConfigKey> config_keys() {
  return kKeys;
}

const ConfigKey* find_config_key(std::string_view full_name) {
  const auto found = std::ranges::find(kKeys, full_name, &ConfigKey::full_name);
  return found == kKeys.end() ? nullptr : &*found;
}

milliseconds parse_duration(std::string_view text, std::string_view what) {
  const auto fail = [&] {
    return InputError(
        fmt::format("{}: \"{}\" is not a time; expected for example 500ms, 30s, 5m, 2h or 7d", what, text));
  };
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits));
  if (!number || *number > INT32_MAX) throw fail();
  const std::string_view unit = text.substr(digits);
  if (unit == "ms") return milliseconds(*number);
  if (unit.empty() || unit == "s") return std::chrono::seconds(*number);
  if (unit == "m") return std::chrono::minutes(*number);
  if (unit == "h") return std::chrono::hours(*number);
  if (unit == "d") return std::chrono::hours(24 * *number);
  throw fail();
}

}  // namespace proofline::service
