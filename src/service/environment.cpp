#include "service/environment.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/nearest_name.hpp"
#include "service/config_keys.hpp"

namespace proofline::service {
namespace {

using Variables = std::map<std::string, std::string>;

/// Honoured.
constexpr std::array<std::string_view, 2> kKnown = {"FIL_PROOFS_PARAMETER_CACHE", "BELLMAN_NO_GPU"};

/// Of rust-fil-proofs, bellperson and their relatives, without effect here, and why.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kWithoutEffect = {{
    {"FIL_PROOFS_CACHE_DIR", "nothing is sealed here"},
    {"FIL_PROOFS_PARENT_CACHE", "nothing is sealed here"},
    {"FIL_PROOFS_VERIFY_CACHE", "nothing is sealed here"},
    {"FIL_PROOFS_MAX_GPU_COLUMN_BATCH_SIZE", "nothing is sealed here"},
    {"FIL_PROOFS_MAX_GPU_TREE_BATCH_SIZE", "nothing is sealed here"},
    {"FIL_PROOFS_COLUMN_WRITE_BATCH_SIZE", "nothing is sealed here"},
    {"FIL_PROOFS_USE_GPU_COLUMN_BUILDER", "nothing is sealed here"},
    {"FIL_PROOFS_USE_GPU_TREE_BUILDER", "nothing is sealed here"},
    {"FIL_PROOFS_USE_MULTICORE_SDR", "nothing is sealed here"},
    {"FIL_PROOFS_MULTICORE_SDR_PRODUCERS", "nothing is sealed here"},
    {"FIL_PROOFS_GPU_FRAMEWORK", "gpus.devices chooses devices"},
    {"FIL_PROOFS_VERIFY_PRODUCTION_PARAMS", "set srs.published to the list of digests"},
    {"BELLMAN_GPU_FRAMEWORK", "gpus.devices chooses devices"},
    {"BELLMAN_CUSTOM_GPU", "gpus.devices chooses devices"},
    {"BELLMAN_CPU_UTILIZATION", "synthesis.threads sets the threads"},
    {"BELLMAN_VERIFIER", "proofs are verified on the CPU"},
}};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string variable_of(const ConfigKey& key) {
  std::string out = "PROOFLINE_" + std::string(key.section) + "_" + std::string(key.name);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

/// The level of "info", "debug,hyper=warn" or "h2=off,trace"; empty when it has none.
std::string rust_log_level(const std::string& value) {
  constexpr std::array<std::string_view, 6> kLevels = {"trace", "debug", "info", "warn", "error", "off"};
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string word = lower(std::string(rest.substr(0, end)));
    if (std::ranges::find(kLevels, word) != kLevels.end()) return word;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

void warn_of_name(const std::string& name, EnvironmentEffects& out) {
  const auto other = std::ranges::find(kWithoutEffect, name, &std::pair<std::string_view, std::string_view>::first);
  if (other != kWithoutEffect.end()) {
    out.warnings.push_back(fmt::format("{} has no effect here ({})", name, other->second));
    return;
  }
  std::vector<std::string> own;
  std::vector<std::string_view> names(kKnown.begin(), kKnown.end());
  for (const auto& [known, why] : kWithoutEffect) names.push_back(known);
  for (const ConfigKey& key : config_keys()) own.push_back(variable_of(key));
  names.insert(names.end(), own.begin(), own.end());
  out.warnings.push_back(fmt::format("{} is not known; the nearest name is {}", name, nearest_name(name, names)));
}

}  // namespace

EnvironmentEffects environment_effects(const Variables& variables) {
  EnvironmentEffects out;
  const auto value_of = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  if (const std::string level = rust_log_level(value_of("RUST_LOG")); !level.empty())
    out.settings.push_back({"RUST_LOG", "logging.level", level});
  const std::string no_gpu = lower(value_of("BELLMAN_NO_GPU"));
  out.no_gpu = no_gpu == "1" || no_gpu == "true" || no_gpu == "yes" || no_gpu == "on";
  if (const auto visible = variables.find("CUDA_VISIBLE_DEVICES");
      visible != variables.end() && (visible->second.empty() || visible->second == "-1")) {
    out.no_gpu = true;
  }

  std::vector<std::string> used = {"PROOFLINE_TOKEN", "PROOFLINE_ADDRESS"};  // of client commands
  for (const ConfigKey& key : config_keys()) {
    const std::string name = variable_of(key);
    const auto found = variables.find(name);
    if (found == variables.end()) continue;
    out.settings.push_back({name, key.full_name(), found->second});
    used.push_back(name);
  }
  for (const auto& [name, value] : variables) {
    const bool is_ours = name.starts_with("PROOFLINE_");
    if (!is_ours && !name.starts_with("FIL_") && !name.starts_with("BELLMAN_")) continue;
    if (std::ranges::find(kKnown, name) != kKnown.end() || std::ranges::find(used, name) != used.end()) continue;
    warn_of_name(name, out);
  }
  return out;
}

Variables process_environment() {
  Variables out;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos) out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return out;
}

}  // namespace proofline::service
