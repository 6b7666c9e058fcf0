#pragma once
/// The table of configuration keys.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/config.hpp"

namespace proofline::service {

/// A value that somebody gave for a key. Text (of a variable or a flag) is taken for any type, a TOML value for its
/// own. Each function throws InputError starting with `where`.
struct Setting {
  std::string where;
  std::variant<bool, std::int64_t, std::string, std::vector<std::string>> value;
  bool is_text = false;

  bool flag() const;
  std::int64_t number(std::int64_t least, std::int64_t most) const;
  unsigned count(std::int64_t most = 1'000'000) const { return static_cast<unsigned>(number(0, most)); }
  const std::string& text() const;
  std::vector<std::string> list() const;  ///< of a text: parts between commas
  std::uint64_t bytes() const;            ///< "256MiB", or a number
  milliseconds duration() const;          ///< "5m", or a number of seconds
  std::vector<std::string> circuits() const;
};

struct ConfigKey {
  std::string_view section, name;
  /// Null for keys of cuzk that have no meaning here.
  void (*set)(Config& config, const Setting& setting) = nullptr;
  /// Whether two configurations have the same value; null where a change takes effect at once.
  bool (*same)(const Config& a, const Config& b) = nullptr;
  std::string_view instead = {};  ///< of a key without meaning: what does its work

  std::string full_name() const { return std::string(section) + "." + std::string(name); }
};

std::span<const ConfigKey> config_keys();

/// Null when there is none.
const ConfigKey* find_config_key(std::string_view full_name);

}  // namespace proofline::service
