// proofline status: what a daemon does now.
#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/client_command.hpp"

namespace proofline::cli {
namespace {

struct Options {
  ClientFlags client;
  bool json = false;
};

Json as_json(const service::DaemonStatus& status) {
  Json out = {{"uptime_seconds", status.uptime_seconds}, {"done", status.done}, {"failed", status.failed}};
  out["queues"] = Json::array();
  for (const auto& queue : status.queues)
    out["queues"].push_back({{"kind", queue.kind}, {"pending", queue.pending}, {"in_progress", queue.in_progress}});
  out["devices"] = Json::array();
  for (const auto& device : status.devices)
    out["devices"].push_back({{"name", device.name}, {"job", device.job_id}, {"kind", device.kind}});
  out["circuits"] = Json::array();
  for (const auto& circuit : status.circuits) {
    out["circuits"].push_back(
        {{"id", circuit.id}, {"tier", circuit.tier}, {"bytes", circuit.bytes}, {"jobs", circuit.jobs}});
  }
  return out;
}

void print(const service::DaemonStatus& status) {
  fmt::print("up {}; {} proofs done, {} failed\n", format_seconds(static_cast<double>(status.uptime_seconds)),
             format_count(status.done), format_count(status.failed));
  fmt::print("\n  {:<16}{:>9}{:>13}\n", "jobs", "waiting", "in progress");
  for (const auto& queue : status.queues)
    fmt::print("  {:<16}{:>9}{:>13}\n", queue.kind, queue.pending, queue.in_progress);
  fmt::print("\n  {:<16}works on\n", "device");
  for (const auto& device : status.devices) {
    fmt::print("  {:<16}{}\n", device.name,
               device.job_id.empty() ? "nothing" : fmt::format("{} ({})", device.job_id, device.kind));
  }
  fmt::print("\n  {:<16}{:>9}{:>13}{:>7}\n", "circuit", "in memory", "parameters", "jobs");
  for (const auto& circuit : status.circuits) {
    fmt::print("  {:<16}{:>9}{:>13}{:>7}\n", circuit.id, circuit.tier == "cold" ? "no" : "yes",
               format_bytes(circuit.bytes), circuit.jobs);
  }
}

int run(const Options& options) {
  const service::DaemonStatus status = make_client(options.client)->status();
  if (options.json) {
    print_json(as_json(status));
  } else {
    print(status);
  }
  return kDone;
}

}  // namespace

void add_status(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("status", "Show what a daemon does: jobs, devices, circuits");
  add_client_flags(*app, options->client);
  app->add_flag("--json", options->json, "Print the result as one JSON document");
  add_examples(*app, "proofline status --address 10.0.0.7:9820 --token-file token");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
