// proofline bench prove: the engine under load, a row for each number of workers and each budget.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/file.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/csv.hpp"
#include "device/cpu/cpu_backend.hpp"
#include "engine/engine.hpp"
#include "engine/memory_budget.hpp"
#include "engine/parameter_store.hpp"

namespace proofline::cli {
namespace {

using engine::Clock;

struct Options {
  Common common;
  std::string c1;
  std::string params;
  std::string circuit;
  unsigned proofs = 4;
  unsigned concurrency = 2;
  std::vector<unsigned> workers;
  std::vector<std::string> memory;
  std::string trace;
  bool bare = false;
  bool csv = false;
};

struct Row {
  std::string workers;  ///< "bare" for proofs one after another, without the engine
  std::uint64_t budget = 0;
  double seconds_per_proof = 0, latency_p50 = 0, latency_p95 = 0;
  std::uint64_t peak_ledger = 0, peak_resident = 0;
  std::size_t peak_waiting = 0;
  double device_busy_share = 0;
};

/// The smallest value that this share of them does not exceed.
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

engine::ProofRequest request_of(const std::string& c1) {
  const MappedFile file(c1);
  engine::ProofRequest request;
  request.kind = filecoin::CircuitKind::kPorep;
  request.c1.assign(file.bytes().begin(), file.bytes().end());
  return request;
}

engine::ParameterStoreOptions store_options(const Options& options, const std::string& circuit_id) {
  engine::ParameterStoreOptions out;
  if (!options.params.empty()) out.parameter_files[circuit_id] = options.params;
  if (!options.circuit.empty()) out.circuit_files[circuit_id] = options.circuit;
  return out;
}

Row measure(const Options& options, const engine::ProofRequest& request, unsigned workers, std::uint64_t budget,
            const Executor& exec, ConsoleProgress& console) {
  engine::EventRecorder recorder(1 << 18);
  engine::MemoryLedger ledger({budget}, &recorder);
  engine::Journal journal("");
  const std::string circuit_id = engine::make_task(request)->circuit_id();
  engine::ParameterStore store(ledger, store_options(options, circuit_id));
  store.preload(circuit_id);
  std::vector<std::unique_ptr<device::Backend>> backends;
  backends.push_back(device::make_cpu_backend(exec));
  const std::string device = backends.front()->name();
  engine::Engine engine({ledger, recorder, journal, store, engine::make_task, std::move(backends), exec},
                        {.witness_workers = workers});

  Row row;
  row.workers = workers == 0 ? "auto" : std::to_string(workers);
  row.budget = budget;
  reset_peak_resident();
  const Clock::time_point begin = Clock::now();
  std::deque<engine::JobId> in_flight;
  std::vector<double> latencies;
  for (unsigned submitted = 0; submitted < options.proofs || !in_flight.empty();) {
    console.report(fmt::format("{} workers, {}: proofs", row.workers, format_bytes(budget)), latencies.size(),
                   options.proofs);
    if (submitted < options.proofs && in_flight.size() < options.concurrency) {
      in_flight.push_back(engine.submit(request));
      ++submitted;
      continue;
    }
    const engine::JobRecord record = engine.await(in_flight.front()).record;
    if (record.state != engine::JobState::kDone) throw Error("a proof failed: " + record.error);
    latencies.push_back(std::chrono::duration<double>(record.finished - record.accepted).count());
    in_flight.pop_front();
  }
  const Clock::time_point end = Clock::now();
  console.end_stage();
  row.seconds_per_proof = seconds_between(begin, end) / options.proofs;
  row.latency_p50 = quantile(latencies, 0.5);
  row.latency_p95 = quantile(latencies, 0.95);
  row.peak_ledger = ledger.state(engine::Pool::host()).peak;
  row.peak_resident = peak_resident_bytes();
  row.peak_waiting = engine.status().partitions_waiting_peak;
  row.device_busy_share = engine::busy_share(recorder.contents(), device, "start", begin, end);
  if (!options.trace.empty()) engine::write_chrome_trace(recorder.contents(), options.trace);
  return row;
}

/// The same proofs one after another.
Row measure_bare(const Options& options, const engine::ProofRequest& request, std::uint64_t budget,
                 const Executor& exec) {
  engine::MemoryLedger ledger({budget});
  const std::string circuit_id = engine::make_task(request)->circuit_id();
  engine::ParameterStore store(ledger, store_options(options, circuit_id));
  const std::optional<engine::ProvingKit> kit = store.acquire(circuit_id, engine::Priority::kNormal, {});
  Row row;
  row.workers = "bare";
  reset_peak_resident();
  const Clock::time_point begin = Clock::now();
  for (unsigned i = 0; i < options.proofs; ++i) {
    const auto task = engine::make_task(request);
    for (std::size_t k = 0; k < task->partitions(); ++k) {
      groth16::prove(*kit->circuit, task->witness(k, exec), kit->parameters, groth16::Blinding::random(), exec);
    }
  }
  row.seconds_per_proof = seconds_between(begin, Clock::now()) / options.proofs;
  row.latency_p50 = row.latency_p95 = row.seconds_per_proof;
  row.peak_resident = peak_resident_bytes();
  return row;
}

Json row_json(const Row& row) {
  return {{"workers", row.workers},
          {"memory", row.budget},
          {"seconds_per_proof", row.seconds_per_proof},
          {"latency_p50", row.latency_p50},
          {"latency_p95", row.latency_p95},
          {"peak_ledger", row.peak_ledger},
          {"peak_resident", row.peak_resident},
          {"peak_waiting", row.peak_waiting},
          {"device_busy_share", row.device_busy_share}};
}

void print_table(const Options& options, const std::vector<Row>& rows) {
  fmt::print("{} proofs of {}, {} in flight\n", options.proofs, options.c1, options.concurrency);
  fmt::print("  {:>7}{:>12}{:>11}{:>13}{:>12}{:>13}{:>15}{:>9}{:>9}\n", "workers", "memory", "s/proof", "latency p50",
             "p95", "peak ledger", "peak resident", "waiting", "device");
  for (const Row& row : rows) {
    fmt::print("  {:>7}{:>12}{:>11.3f}{:>13}{:>12}{:>13}{:>15}{:>9}{:>7.1f} %\n", row.workers,
               row.budget == 0 ? "-" : format_bytes(row.budget), row.seconds_per_proof, format_seconds(row.latency_p50),
               format_seconds(row.latency_p95), row.peak_ledger == 0 ? "-" : format_bytes(row.peak_ledger),
               format_bytes(row.peak_resident), row.peak_waiting, 100 * row.device_busy_share);
  }
}

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet || options.common.json || options.csv);
  const engine::ProofRequest request = request_of(options.c1);
  std::vector<std::uint64_t> budgets;
  for (const std::string& text : options.memory) budgets.push_back(parse_bytes(text, "--memory"));
  if (budgets.empty()) budgets.push_back(engine::default_host_budget(engine::read_host_memory()));
  std::vector<unsigned> workers = options.workers;
  if (workers.empty()) workers.push_back(0);

  std::vector<Row> rows;
  if (options.bare) rows.push_back(measure_bare(options, request, budgets.back(), exec));
  for (const std::uint64_t budget : budgets) {
    for (const unsigned count : workers) rows.push_back(measure(options, request, count, budget, exec, console));
  }
  std::vector<Json> documents;
  documents.reserve(rows.size());
  for (const Row& row : rows) documents.push_back(row_json(row));
  if (options.csv) {
    print_csv(documents);
  } else if (options.common.json) {
    print_json({{"proofs", options.proofs}, {"concurrency", options.concurrency}, {"rows", documents}});
  } else {
    print_table(options, rows);
  }
  return kDone;
}

}  // namespace

void add_bench_prove(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "prove",
      "Prove a C1 several times through the engine, for each number of workers and each memory budget, and print time, "
      "latency and memory: what the ledger reserved and what was resident.");
  app->add_option("--c1", options->c1, "C1 file to prove")->required()->type_name("FILE");
  app->add_option("--params", options->params,
                  "Parameters (default: the published file's name below FIL_PROOFS_PARAMETER_CACHE)")
      ->type_name("FILE");
  app->add_option("--circuit", options->circuit, "Read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  app->add_option("--proofs", options->proofs, "How many proofs a row")
      ->capture_default_str()
      ->check(CLI::Range(1U, 100000U));
  app->add_option("--concurrency", options->concurrency, "How many of them are submitted at a time")
      ->capture_default_str()
      ->check(CLI::Range(1U, 100000U));
  app->add_option("--workers", options->workers, "Witness workers, a row each (default: as measured)")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N,...");
  app->add_option("--memory", options->memory, "Memory budgets, a row each (default: what is free, less a margin)")
      ->delimiter(',')
      ->type_name("SIZE,...");
  app->add_flag("--bare", options->bare, "First a row without the engine: one proof after another");
  app->add_option("--trace", options->trace, "Write the last row's events here, for Perfetto")->type_name("FILE");
  app->add_flag("--csv", options->csv, "Print rows as CSV");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline bench prove --c1 c1.json --params porep-2KiB.params --proofs 8 --concurrency 4\n"
               "proofline bench prove --c1 c1.json --params porep-2KiB.params --workers 1,2,8,32 --memory 500MiB,2GiB "
               "--bare --csv");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
