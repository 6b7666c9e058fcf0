// proofline simulate: what memory and throughput follow from workers and flow control, in a model of the pipeline.
#include <fmt/format.h>

#include <optional>

#include "base/file.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/csv.hpp"
#include "cli/memory_plot.hpp"
#include "engine/simulation.hpp"

namespace proofline::cli {
namespace {

/// One simulation, with what it was told.
struct SimulationRun {
  engine::SimulationConfig config;
  engine::SimulationResult result;
};

struct Options {
  std::vector<std::string> policies;
  std::vector<unsigned> workers;
  std::string config;
  std::optional<unsigned> proofs;
  std::optional<unsigned> in_flight;
  std::optional<double> jitter;
  std::optional<std::uint64_t> seed;
  std::string budget;
  std::string plot;
  bool json = false;
  bool csv = false;
  bool print_config = false;
};

std::string file_text(const std::string& path) {
  const MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

engine::SimulationConfig base_config(const Options& options) {
  engine::SimulationConfig config;
  if (!options.config.empty()) config = engine::simulation_config_from_json(file_text(options.config), options.config);
  if (options.proofs) config.proofs = *options.proofs;
  if (options.in_flight) config.proofs_in_flight = *options.in_flight;
  if (options.jitter) config.jitter = *options.jitter;
  if (options.seed) config.seed = *options.seed;
  if (!options.budget.empty()) config.budget_bytes = parse_bytes(options.budget, "--budget");
  return config;
}

std::vector<engine::FlowControl> policies(const Options& options, const engine::SimulationConfig& base) {
  std::vector<engine::FlowControl> chosen;
  for (const std::string& name : options.policies) {
    if (name == "all") return {engine::kFlowControls.begin(), engine::kFlowControls.end()};
    chosen.push_back(engine::flow_control(name));
  }
  if (!chosen.empty()) return chosen;
  if (!options.config.empty()) return {base.policy};
  return {engine::kFlowControls.begin(), engine::kFlowControls.end()};
}

std::vector<unsigned> workers(const Options& options, const engine::SimulationConfig& base) {
  if (!options.workers.empty()) return options.workers;
  if (!options.config.empty()) return {base.workers};
  return {8, 9, 10, 11, 12, 14};
}

Json row_json(const SimulationRun& run) {
  const auto& [config, result] = run;
  return {{"policy", engine::flow_control_name(config.policy)},
          {"workers", config.workers},
          {"seconds_per_proof", result.seconds_per_proof},
          {"latency_p50", result.latency_p50},
          {"latency_p95", result.latency_p95},
          {"peak_host_bytes", result.peak_host_bytes},
          {"peak_device_bytes", result.peak_device_bytes},
          {"peak_queued", result.peak_queued},
          {"device_busy_share", result.device_busy_share},
          {"total_seconds", result.total_seconds},
          {"exceeded_at", result.exceeded_at ? Json(*result.exceeded_at) : Json()}};
}

std::vector<Json> rows_json(const std::vector<SimulationRun>& runs) {
  std::vector<Json> rows;
  rows.reserve(runs.size());
  for (const SimulationRun& run : runs) rows.push_back(row_json(run));
  return rows;
}

void print_table(const engine::SimulationConfig& base, const std::vector<SimulationRun>& runs) {
  fmt::print("simulated, not measured: {} proofs of {} partitions, {} in flight, device {} a partition\n", base.proofs,
             base.partitions, base.proofs_in_flight, format_seconds(base.device_seconds));
  fmt::print("{} held always, {} a partition, of which {} freed when the device takes it; ledger's budget {}\n",
             format_bytes(base.base_bytes), format_bytes(base.partition_bytes), format_bytes(base.freed_bytes),
             format_bytes(base.budget_bytes));
  fmt::print("  {:<24}{:>8}{:>10}{:>13}{:>13}{:>11}{:>8}{:>8}  {}\n", "policy", "workers", "s/proof", "latency p50",
             "p95", "peak host", "queued", "device", "over " + format_bytes(base.machine_bytes));
  for (const auto& [config, result] : runs) {
    fmt::print("  {:<24}{:>8}{:>10.2f}{:>13}{:>13}{:>11}{:>8}{:>6.0f} %  {}\n",
               engine::flow_control_name(config.policy), config.workers, result.seconds_per_proof,
               format_seconds(result.latency_p50), format_seconds(result.latency_p95),
               format_bytes(result.peak_host_bytes), result.peak_queued, 100 * result.device_busy_share,
               result.exceeded_at ? "after " + format_seconds(*result.exceeded_at) : "never");
  }
}

PlotPanel panel_of(const SimulationRun& run) {
  const auto& [config, result] = run;
  PlotPanel out;
  out.title = fmt::format("{}, {} workers: {}, {} queued", engine::flow_control_name(config.policy), config.workers,
                          format_bytes(result.peak_host_bytes), result.peak_queued);
  out.total_seconds = result.total_seconds;
  out.machine_bytes = config.machine_bytes;
  if (config.policy == engine::FlowControl::kLedger) out.budget_bytes = config.budget_bytes;
  out.samples.reserve(result.samples.size());
  for (const engine::SimulationSample& sample : result.samples) {
    out.samples.push_back({sample.seconds, sample.host_bytes, 0, sample.queued});
  }
  return out;
}

void write_plot(const std::string& path, const std::vector<SimulationRun>& runs, std::size_t num_policies) {
  const std::size_t num_workers = runs.size() / num_policies;
  std::vector<PlotPanel> panels;
  for (std::size_t row = 0; row < num_workers; ++row) {
    for (std::size_t column = 0; column < num_policies; ++column) {
      panels.push_back(panel_of(runs[column * num_workers + row]));
    }
  }
  AtomicFile file(path);
  file.write(memory_svg(panels, num_policies, "simulated seconds"));
  file.commit();
}

int run(const Options& options) {
  const engine::SimulationConfig base = base_config(options);
  if (options.print_config) {
    print_json(engine::to_json(base));
    return kDone;
  }
  const std::vector<engine::FlowControl> chosen = policies(options, base);
  std::vector<SimulationRun> runs;
  for (const engine::FlowControl policy : chosen) {
    for (const unsigned count : workers(options, base)) {
      engine::SimulationConfig config = base;
      config.policy = policy;
      config.workers = count;
      runs.push_back({config, engine::simulate(config)});
    }
  }
  if (!options.plot.empty()) write_plot(options.plot, runs, chosen.size());
  if (options.json) {
    Json config = engine::to_json(base);
    for (const char* swept : {"policy", "workers"}) config.erase(swept);
    print_json({{"simulated", true}, {"config", config}, {"rows", rows_json(runs)}});
  } else if (options.csv) {
    print_csv(rows_json(runs));
  } else {
    print_table(base, runs);
  }
  return kDone;
}

}  // namespace

void add_simulate(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(
      "simulate",
      "A model of the proving pipeline: seconds a proof, latency, peak memory and queue for each policy and number of "
      "witness workers. Nothing is proved and nothing is measured. Without --config it studies a system that was "
      "measured at 367 GiB with 10 workers and 668 GiB with 12: docs/flow-control.md.\n"
      "Policies:\n"
      "  release-after-synthesis  a worker's permit is given back when synthesis ends; finished partitions pile up\n"
      "  hold-through-handover    the permit is held until the device has taken the partition\n"
      "  ledger                   synthesis starts when all its bytes fit into --budget");
  app->add_option("--policy", options->policies,
                  "Policies, separated by commas, or all (default: the file's; without a file all)")
      ->delimiter(',')
      ->type_name("NAME");
  app->add_option("--workers", options->workers,
                  "Numbers of witness workers (default: the file's; without a file 8,9,10,11,12,14)")
      ->delimiter(',')
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U).description(""));
  app->add_option("--config", options->config, "Stage times and sizes (JSON; --print-config shows all fields)")
      ->type_name("FILE");
  app->add_option("--proofs", options->proofs, "How many proofs are made in all (20)")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U).description(""));
  app->add_option("--in-flight", options->in_flight, "Proofs in the pipeline at any time (15)")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U).description(""));
  app->add_option("--budget", options->budget, "Host memory that the ledger grants, all included (367GiB)")
      ->type_name("SIZE");
  app->add_option("--jitter", options->jitter, "Partitions' stage times vary by up to this share, for example 0.05 (0)")
      ->type_name("X");
  app->add_option("--seed", options->seed, "Seed of the jitter (1)")->type_name("N");
  app->add_option("--plot", options->plot, "Also draw memory and queue over time, a panel for each row (SVG)")
      ->type_name("FILE");
  CLI::Option* json = app->add_flag("--json", options->json, "Print the result as one JSON document");
  app->add_flag("--csv", options->csv, "Print the result as comma-separated values")->excludes(json);
  app->add_flag("--print-config", options->print_config, "Only print the configuration, as --config reads it");
  add_examples(
      *app,
      "proofline simulate\n"
      "proofline simulate --workers 10,12 --plot jump.svg\n"
      "proofline simulate --policy ledger --workers 12,24,48 --budget 200GiB --jitter 0.05\n"
      "proofline simulate --print-config > mine.json; proofline simulate --config mine.json --policy all --csv");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
