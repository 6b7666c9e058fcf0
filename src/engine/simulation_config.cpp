#include "engine/simulation_config.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"

namespace proofline::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kFlowControls.size()> kNames = {"release-after-synthesis",
                                                                       "hold-through-handover", "ledger"};
constexpr unsigned kMostOfAnything = 100'000;
constexpr std::uint64_t kMostPartitions = 1'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

/// Calls visit(name, member) for each member of a (const or not) configuration.
template <typename Config, typename Visit>
void for_each_field(Config& config, const Visit& visit) {
  visit("policy", config.policy);
  visit("workers", config.workers);
  visit("proofs", config.proofs);
  visit("proofs_in_flight", config.proofs_in_flight);
  visit("partitions", config.partitions);
  visit("device_slots", config.device_slots);
  visit("parse_seconds", config.parse_seconds);
  visit("synthesis_seconds", config.synthesis_seconds);
  visit("synthesis_slowdown", config.synthesis_slowdown);
  visit("device_seconds", config.device_seconds);
  visit("finish_seconds", config.finish_seconds);
  visit("verify_seconds", config.verify_seconds);
  visit("jitter", config.jitter);
  visit("seed", config.seed);
  visit("base_bytes", config.base_bytes);
  visit("synthesis_bytes", config.synthesis_bytes);
  visit("partition_bytes", config.partition_bytes);
  visit("freed_bytes", config.freed_bytes);
  visit("device_bytes", config.device_bytes);
  visit("budget_bytes", config.budget_bytes);
  visit("machine_bytes", config.machine_bytes);
}

/// Checks one member alone, by its type.
struct FieldCheck {
  void operator()(std::string_view, FlowControl) const {}
  void operator()(std::string_view name, unsigned count) const {
    if (count == 0 || count > kMostOfAnything) {
      throw InputError(fmt::format("{}: {} is not a count from 1 to {}", name, count, kMostOfAnything));
    }
  }
  void operator()(std::string_view name, double number) const {
    if (!std::isfinite(number) || number < 0 || number > 1e6) {
      throw InputError(fmt::format("{}: {} is not a number from 0 to 1000000", name, number));
    }
  }
  void operator()(std::string_view name, std::uint64_t number) const {
    if (name != "seed" && number > kMostBytes) {
      throw InputError(fmt::format("{}: {} is more than {}", name, format_bytes(number), format_bytes(kMostBytes)));
    }
  }
};

/// Reads one member from its JSON value.
struct FieldRead {
  const Json& value;

  void operator()(std::string_view name, FlowControl& policy) const {
    if (!value.is_string()) throw InputError(fmt::format("{}: expected the name of a policy", name));
    policy = flow_control(value.get<std::string>());
  }
  void operator()(std::string_view name, unsigned& count) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMostOfAnything) {
      throw InputError(fmt::format("{}: expected a count from 1 to {}", name, kMostOfAnything));
    }
    count = value.get<unsigned>();
  }
  void operator()(std::string_view name, double& number) const {
    if (!value.is_number()) throw InputError(fmt::format("{}: expected a number", name));
    number = value.get<double>();
  }
  void operator()(std::string_view name, std::uint64_t& number) const {
    if (value.is_number_unsigned()) {
      number = value.get<std::uint64_t>();
    } else if (value.is_string() && name != "seed") {
      number = parse_bytes(value.get<std::string>(), name);
    } else {
      throw InputError(fmt::format("{}: expected a whole number{}", name,
                                   name == "seed" ? "" : " of bytes, or a size such as \"16GiB\""));
    }
  }
};

}  // namespace

std::string_view flow_control_name(FlowControl policy) {
  return kNames[static_cast<std::size_t>(policy)];
}

FlowControl flow_control(std::string_view name) {
  for (const FlowControl policy : kFlowControls) {
    if (flow_control_name(policy) == name) return policy;
  }
  throw InputError(fmt::format("policy: \"{}\" is none of {}", name, fmt::join(kNames, ", ")));
}

void check(const SimulationConfig& config) {
  for_each_field(config, FieldCheck{});
  if (std::uint64_t{config.proofs} * config.partitions > kMostPartitions) {
    throw InputError(fmt::format("proofs: {} proofs of {} partitions are more than {} partitions", config.proofs,
                                 config.partitions, kMostPartitions));
  }
  if (config.jitter >= 1) throw InputError(fmt::format("jitter: {} is not below 1", config.jitter));
  if (config.synthesis_bytes > config.partition_bytes) {
    throw InputError(fmt::format("synthesis_bytes: {} are more than partition_bytes, {}",
                                 format_bytes(config.synthesis_bytes), format_bytes(config.partition_bytes)));
  }
  if (config.freed_bytes > config.partition_bytes) {
    throw InputError(fmt::format("freed_bytes: {} are more than partition_bytes, {}", format_bytes(config.freed_bytes),
                                 format_bytes(config.partition_bytes)));
  }
  const std::uint64_t needed = config.base_bytes + config.partition_bytes;
  if (config.policy == FlowControl::kLedger && config.budget_bytes < needed) {
    throw InputError(fmt::format("budget_bytes: {} do not hold one partition; it takes {}",
                                 format_bytes(config.budget_bytes), format_bytes(needed)));
  }
}

SimulationConfig simulation_config_from_json(std::string_view text, std::string_view source,
                                             const SimulationConfig& defaults) {
  SimulationConfig config = defaults;
  try {
    const Json document = Json::parse(text);
    if (!document.is_object()) throw InputError("expected a JSON object");
    std::set<std::string_view> known;
    for_each_field(config, [&](std::string_view name, auto& member) {
      known.insert(name);
      if (const auto found = document.find(std::string(name)); found != document.end()) FieldRead{*found}(name, member);
    });
    for (const auto& [name, value] : document.items()) {
      if (!known.contains(name)) {
        throw InputError(fmt::format("unknown field \"{}\"; known are {}", name, fmt::join(known, ", ")));
      }
    }
    check(config);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  return config;
}

Json to_json(const SimulationConfig& config) {
  Json document;
  for_each_field(config, [&](const char* name, const auto& member) {
    if constexpr (std::is_same_v<decltype(member), const FlowControl&>) {
      document[name] = flow_control_name(member);
    } else {
      document[name] = member;
    }
  });
  return document;
}

}  // namespace proofline::engine
