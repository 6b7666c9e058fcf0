// proofline bench prove: the engine under load, a row for each number of workers and each budget.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "base/file.hpp"
#include "base/resident_memory.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/csv.hpp"
#include "cli/memory_plot.hpp"
#include "cli/request_files.hpp"
#include "device/cpu/cpu_backend.hpp"
#include "engine/engine.hpp"
#include "engine/memory_budget.hpp"
#include "engine/memory_watch.hpp"
#include "engine/parameter_store.hpp"

namespace proofline::cli {
namespace {

using engine::Clock;

/// The most that a process may have beyond what the ledger knows, as a share of its budget, with --check-memory.
constexpr double kMostUnknown = 0.05;

struct Options {
  Common common;
  std::vector<std::string> inputs;
  std::vector<std::string> c1;
  std::vector<std::string> params;
  std::vector<std::string> circuits;
  unsigned proofs = 4;
  unsigned concurrency = 2;
  std::vector<unsigned> workers;
  std::vector<std::string> memory;
  std::string trace;
  std::string plot;
  bool bare = false;
  bool check_memory = false;
  bool csv = false;
};

/// What is proved in each row, in turns.
struct Load {
  std::vector<engine::ProofRequest> requests;
  std::vector<std::string> circuit_ids;  ///< of the requests
  engine::ParameterStoreOptions store;
};

struct Row {
  std::string workers;  ///< "bare" for proofs one after another, without the engine
  std::uint64_t budget = 0;
  double seconds_per_proof = 0;
  std::map<std::string, std::vector<double>> latencies;  ///< by kind of proof
  std::uint64_t peak_ledger = 0, peak_pinned = 0, peak_device = 0, peak_resident = 0, unknown = 0;
  std::size_t peak_waiting = 0;
  double device_busy_share = 0;
  PlotPanel panel;

  std::vector<double> all_latencies() const {
    std::vector<double> out;
    for (const auto& [kind, values] : latencies) out.insert(out.end(), values.begin(), values.end());
    return out;
  }
};

/// The smallest value that this share of them does not exceed.
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

/// --params and --circuit: FILE where there is but one circuit, else CIRCUIT=FILE.
std::map<std::string, std::filesystem::path> files_by_circuit(const std::vector<std::string>& values,
                                                              const std::set<std::string>& circuits,
                                                              const char* option) {
  std::map<std::string, std::filesystem::path> out;
  for (const std::string& value : values) {
    const std::size_t sign = value.find('=');
    const std::string id = sign == std::string::npos ? "" : value.substr(0, sign);
    if (circuits.contains(id)) {
      out[id] = value.substr(sign + 1);
    } else if (circuits.size() == 1) {
      out[*circuits.begin()] = value;
    } else {
      throw InputError(
          fmt::format("{}: {}: expected CIRCUIT=FILE, with one of {}", option, value, fmt::join(circuits, ", ")));
    }
  }
  return out;
}

Load load_of(const Options& options) {
  Load out;
  std::vector<std::string> inputs = options.c1;
  inputs.insert(inputs.end(), options.inputs.begin(), options.inputs.end());
  for (const std::string& input : inputs) {
    for (engine::ProofRequest& request : requests_of(input)) {
      out.circuit_ids.push_back(engine::make_task(request)->circuit_id());
      out.requests.push_back(std::move(request));
    }
  }
  const std::set<std::string> circuits(out.circuit_ids.begin(), out.circuit_ids.end());
  out.store.parameter_files = files_by_circuit(options.params, circuits, "--params");
  out.store.circuit_files = files_by_circuit(options.circuits, circuits, "--circuit");
  return out;
}

/// Memory and queue over [begin, end], from what was recorded.
std::vector<PlotSample> samples_of(const engine::EventRecorder::Contents& contents, Clock::time_point begin,
                                   Clock::time_point end) {
  std::vector<PlotSample> out(1);
  for (const engine::Event& event : contents.events) {
    if (event.kind != engine::Event::Kind::kCounter || event.begin > end) continue;
    PlotSample next = out.back();
    if (event.name == "host reserved") {
      next.reserved = event.value;
    } else if (event.name == "resident") {
      next.resident = event.value;
    } else if (event.name == "partitions waiting") {
      next.waiting = event.value;
    }
    next.seconds = std::max(out.back().seconds, seconds_between(begin, event.begin));
    out.push_back(next);
  }
  return out;
}

Row measure(const Options& options, const Load& load, unsigned workers, std::uint64_t budget, std::uint64_t pool,
            const Executor& exec, ConsoleProgress& console) {
  engine::EventRecorder recorder(1 << 18);
  engine::MemoryLedger ledger({pool}, &recorder);
  engine::Journal journal("");
  const engine::MemoryWatch watch(ledger, &recorder);
  engine::ParameterStore store(ledger, load.store);
  for (const std::string& circuit : load.circuit_ids) store.preload(circuit);
  std::vector<std::unique_ptr<device::Backend>> backends;
  // A stage never waits for threads that another has.
  const Executor witness_exec(exec.threads()), finish_exec(exec.threads());
  backends.push_back(device::make_cpu_backend(exec, finish_exec));
  const std::string device = backends.front()->name();
  engine::Engine engine({ledger, recorder, journal, store, engine::make_task, std::move(backends), witness_exec},
                        {.witness_workers = workers});

  Row row;
  row.workers = workers == 0 ? "auto" : std::to_string(workers);
  row.budget = budget;
  reset_peak_resident();
  const Clock::time_point begin = Clock::now();
  std::deque<engine::JobId> in_flight;
  unsigned done = 0;
  for (unsigned submitted = 0; submitted < options.proofs || !in_flight.empty();) {
    console.report(fmt::format("{} workers, {}: proofs", row.workers, format_bytes(budget)), done, options.proofs);
    if (submitted < options.proofs && in_flight.size() < options.concurrency) {
      in_flight.push_back(engine.submit(load.requests[submitted % load.requests.size()]));
      ++submitted;
      continue;
    }
    // Whichever ends first makes room for the next.
    const auto ended =
        std::ranges::find_if(in_flight, [&](engine::JobId id) { return is_final(engine.status(id).record.state); });
    if (ended == in_flight.end()) {
      engine.await(in_flight.front(), std::chrono::milliseconds(5));
      continue;
    }
    const engine::JobRecord record = engine.status(*ended).record;
    if (record.state != engine::JobState::kDone) throw Error("a proof failed: " + record.error);
    row.latencies[std::string(filecoin::circuit_kind_name(record.kind))].push_back(
        std::chrono::duration<double>(record.finished - record.accepted).count());
    in_flight.erase(ended);
    ++done;
  }
  const Clock::time_point end = Clock::now();
  console.end_stage();
  const engine::MemoryWatch::Peaks peaks = watch.peaks();
  row.seconds_per_proof = seconds_between(begin, end) / options.proofs;
  row.peak_ledger = ledger.state(engine::Pool::host()).peak;
  row.peak_pinned = ledger.state(engine::Pool::pinned()).peak;
  row.peak_device = ledger.state(engine::Pool::device(0)).peak;
  row.peak_resident = std::max(peaks.resident, peak_resident_bytes());
  row.unknown = peaks.unknown;
  row.peak_waiting = engine.status().partitions_waiting_peak;
  const engine::EventRecorder::Contents recorded = recorder.contents();
  row.device_busy_share = engine::busy_share(recorded, device, "start", begin, end);
  if (!options.trace.empty()) engine::write_chrome_trace(recorded, options.trace);
  if (!options.plot.empty()) {
    row.panel.samples = samples_of(recorded, begin, end);
    row.panel.total_seconds = seconds_between(begin, end);
    row.panel.budget_bytes = budget;
    row.panel.title = fmt::format("{} workers, {}: {:.2f} s/proof, {}", row.workers, format_bytes(budget),
                                  row.seconds_per_proof, format_bytes(row.peak_resident));
  }
  return row;
}

/// The same proofs one after another.
Row measure_bare(const Options& options, const Load& load, std::uint64_t budget, const Executor& exec) {
  engine::MemoryLedger ledger({budget});
  engine::ParameterStore store(ledger, load.store);
  std::map<std::string, engine::ProvingKit> kits;
  for (const std::string& id : load.circuit_ids) kits[id] = *store.acquire(id, engine::Priority::kNormal, {});
  Row row;
  row.workers = "bare";
  const engine::MemoryWatch watch(ledger);
  const Clock::time_point begin = Clock::now();
  for (unsigned i = 0; i < options.proofs; ++i) {
    const Clock::time_point proof_begin = Clock::now();
    const engine::ProofRequest& request = load.requests[i % load.requests.size()];
    const auto task = engine::make_task(request);
    const engine::ProvingKit& kit = kits.at(task->circuit_id());
    for (std::size_t k = 0; k < task->partitions(); ++k) {
      groth16::prove(*kit.circuit, task->witness(k, exec), kit.parameters, groth16::Blinding::random(), exec);
    }
    row.latencies[std::string(filecoin::circuit_kind_name(request.kind))].push_back(
        seconds_between(proof_begin, Clock::now()));
  }
  row.seconds_per_proof = seconds_between(begin, Clock::now()) / options.proofs;
  row.peak_resident = watch.peaks().resident;
  return row;
}

Json row_json(const Row& row) {
  Json out{{"workers", row.workers},
           {"memory", row.budget},
           {"seconds_per_proof", row.seconds_per_proof},
           {"latency_p50", quantile(row.all_latencies(), 0.5)},
           {"latency_p95", quantile(row.all_latencies(), 0.95)},
           {"peak_ledger", row.peak_ledger},
           {"peak_pinned", row.peak_pinned},
           {"peak_device", row.peak_device},
           {"peak_resident", row.peak_resident},
           {"unknown_to_ledger", row.unknown},
           {"peak_waiting", row.peak_waiting},
           {"device_busy_share", row.device_busy_share}};
  return out;
}

/// Beside row_json(): lists do not fit into a row of CSV.
Json latencies_json(const Row& row) {
  Json out;
  for (const auto& [kind, values] : row.latencies) {
    out[kind] = {{"proofs", values.size()},
                 {"p50", quantile(values, 0.5)},
                 {"p95", quantile(values, 0.95)},
                 {"p99", quantile(values, 0.99)},
                 {"max", std::ranges::max(values)}};
  }
  return out;
}

void print_latencies(const std::vector<Row>& rows) {
  fmt::print("  {:>7}{:>14}{:>9}{:>13}{:>12}{:>12}{:>12}\n", "workers", "latency of", "proofs", "p50", "p95", "p99",
             "max");
  for (const Row& row : rows) {
    for (const auto& [kind, values] : row.latencies) {
      fmt::print("  {:>7}{:>14}{:>9}{:>13}{:>12}{:>12}{:>12}\n", row.workers, kind, values.size(),
                 format_seconds(quantile(values, 0.5)), format_seconds(quantile(values, 0.95)),
                 format_seconds(quantile(values, 0.99)), format_seconds(std::ranges::max(values)));
    }
  }
}

std::string bytes_or_none(std::uint64_t bytes) {
  return bytes == 0 ? "-" : format_bytes(bytes);
}

void print_table(const Options& options, const std::vector<Row>& rows) {
  fmt::print("{} proofs a row, {} in flight\n", options.proofs, options.concurrency);
  fmt::print("  {:>7}{:>12}{:>11}{:>13}{:>12}{:>13}{:>10}{:>10}{:>15}{:>10}{:>9}{:>9}\n", "workers", "memory",
             "s/proof", "latency p50", "p95", "peak ledger", "pinned", "device", "peak resident", "unknown", "waiting",
             "busy");
  for (const Row& row : rows) {
    const std::vector<double> latencies = row.all_latencies();
    fmt::print("  {:>7}{:>12}{:>11.3f}{:>13}{:>12}{:>13}{:>10}{:>10}{:>15}{:>10}{:>9}{:>7.1f} %\n", row.workers,
               bytes_or_none(row.budget), row.seconds_per_proof, format_seconds(quantile(latencies, 0.5)),
               format_seconds(quantile(latencies, 0.95)), bytes_or_none(row.peak_ledger),
               bytes_or_none(row.peak_pinned), bytes_or_none(row.peak_device), format_bytes(row.peak_resident),
               bytes_or_none(row.unknown), row.peak_waiting, 100 * row.device_busy_share);
  }
  if (rows.front().latencies.size() > 1) print_latencies(rows);
}

void write_plot(const std::string& path, const std::vector<Row>& rows) {
  std::vector<PlotPanel> panels;
  for (const Row& row : rows) {
    if (!row.panel.samples.empty()) panels.push_back(row.panel);
  }
  AtomicFile file(path);
  file.write(memory_svg(panels, std::min<std::size_t>(panels.size(), 3), "seconds"));
  file.commit();
}

/// --check-memory: says where the ledger and the process part, and whether they do.
bool ledger_is_right(const std::vector<Row>& rows) {
  bool right = true;
  for (const Row& row : rows) {
    if (static_cast<double>(row.unknown) <= kMostUnknown * static_cast<double>(row.budget)) continue;
    right = false;
    fmt::print(stderr, "{} workers, {}: {} were resident that the ledger does not know of, more than {:.0f} %\n",
               row.workers, format_bytes(row.budget), format_bytes(row.unknown), 100 * kMostUnknown);
  }
  return right;
}

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet || options.common.json || options.csv);
  const Load load = load_of(options);
  std::vector<std::uint64_t> budgets;
  for (const std::string& text : options.memory) budgets.push_back(parse_bytes(text, "--memory"));
  if (budgets.empty()) budgets.push_back(engine::default_host_budget(engine::read_host_memory()));
  std::vector<unsigned> workers = options.workers;
  if (workers.empty()) workers.push_back(0);

  std::vector<Row> rows;
  // What the program has before the first row: what a row leaves behind belongs into the next one's budget.
  std::vector<std::uint64_t> pools;
  for (const std::uint64_t budget : budgets) pools.push_back(engine::ledger_budget(budget));
  if (options.bare) rows.push_back(measure_bare(options, load, budgets.back(), exec));
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    for (const unsigned count : workers) {
      rows.push_back(measure(options, load, count, budgets[i], pools[i], exec, console));
    }
  }
  std::vector<Json> documents;
  documents.reserve(rows.size());
  for (const Row& row : rows) documents.push_back(row_json(row));
  if (!options.plot.empty()) write_plot(options.plot, rows);
  if (options.csv) {
    print_csv(documents);
  } else if (options.common.json) {
    for (std::size_t i = 0; i < rows.size(); ++i) documents[i]["latencies"] = latencies_json(rows[i]);
    print_json({{"proofs", options.proofs}, {"concurrency", options.concurrency}, {"rows", documents}});
  } else {
    print_table(options, rows);
  }
  return options.check_memory && !ledger_is_right(rows) ? kAnswerIsNo : kDone;
}

}  // namespace

void add_bench_prove(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "prove",
      "Prove the same things several times through the engine, for each number of workers and each memory budget, and "
      "print time, latency and memory: what the ledger reserved, what was resident, and the most of it that the ledger "
      "did not know of.");
  app->add_option("INPUT", options->inputs,
                  "What to prove, in turns: C1 files, folders of `post vanilla` (or `post synthesize`) and "
                  "`update vanilla` (or `update synthesize`)");
  app->add_option("--c1", options->c1, "The same for a C1 file")->type_name("FILE");
  app->add_option("--params", options->params,
                  "Parameters; of several circuits CIRCUIT=FILE each, for example wpost-2k=FILE (default: the "
                  "published files' names below FIL_PROOFS_PARAMETER_CACHE)")
      ->type_name("FILE");
  app->add_option("--circuit", options->circuits,
                  "Read the circuit from this file of `circuit save`; of several CIRCUIT=FILE each")
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
  app->add_option("--plot", options->plot, "Draw memory and queue over time, a panel for each row (SVG)")
      ->type_name("FILE");
  app->add_flag("--check-memory", options->check_memory,
                "Exit with 1 when more than 5 % of a budget was resident that the ledger did not know of");
  app->add_flag("--csv", options->csv, "Print rows as CSV");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline bench prove --c1 c1.json --params porep-2KiB.params --proofs 8 --concurrency 4\n"
               "proofline bench prove --c1 c1.json --params porep-2KiB.params --workers 1,2,8,32 --memory 500MiB,2GiB "
               "--bare --csv\n"
               "proofline bench prove c1.json winning/ --params porep-2k=P --params winning-2k=W --proofs 40 "
               "--plot memory.svg");
  app->callback([options, &action] {
    if (options->c1.empty() && options->inputs.empty()) {
      throw CLI::ValidationError("INPUT", "nothing to prove: name a C1 file or a folder of vanilla proofs");
    }
    action = [options] { return run(*options); };
  });
}

}  // namespace proofline::cli
