// proofline bench prove: the engine under load, a row for each number of workers and each budget.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/units.hpp"
#include "cli/bench_rows.hpp"
#include "cli/csv.hpp"
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
  BenchOptions bench;
  std::vector<std::string> memory;
  bool bare = false;
  bool check_memory = false;
};

/// What is proved in each row, in turns.
struct Load {
  std::vector<engine::ProofRequest> requests;
  std::vector<std::string> circuit_ids;  ///< of the requests
  engine::ParameterStoreOptions store;
};

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

/// The same proofs one after another.
BenchRow measure_bare(const Options& options, const Load& load, std::uint64_t budget, const Executor& exec) {
  engine::MemoryLedger ledger({budget});
  engine::ParameterStore store(ledger, load.store);
  std::map<std::string, engine::ProvingKit> kits;
  for (const std::string& id : load.circuit_ids) kits[id] = *store.acquire(id, engine::Priority::kNormal, {});
  BenchRow row;
  row.workers = "bare";
  const engine::MemoryWatch watch(ledger);
  const Clock::time_point begin = Clock::now();
  for (unsigned i = 0; i < options.bench.proofs; ++i) {
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
  row.seconds_per_proof = seconds_between(begin, Clock::now()) / options.bench.proofs;
  row.peak_resident = watch.peaks().resident;
  return row;
}

/// --check-memory: says where the ledger and the process part, and whether they do.
bool ledger_is_right(const std::vector<BenchRow>& rows) {
  bool right = true;
  for (const BenchRow& row : rows) {
    if (static_cast<double>(row.unknown) <= kMostUnknown * static_cast<double>(row.budget)) continue;
    right = false;
    fmt::print(stderr, "{} workers, {}: {} were resident that the ledger does not know of, more than {:.0f} %\n",
               row.workers, format_bytes(row.budget), format_bytes(row.unknown), 100 * kMostUnknown);
  }
  return right;
}

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet || options.common.json || options.bench.csv);
  const Load load = load_of(options);
  std::vector<std::uint64_t> budgets;
  for (const std::string& text : options.memory) budgets.push_back(parse_bytes(text, "--memory"));
  if (budgets.empty()) budgets.push_back(engine::default_host_budget(engine::read_host_memory()));

  const BenchLoad bench{load.requests, options.bench.proofs, options.bench.concurrency, options.bench.trace};
  const auto kits = [&](engine::MemoryLedger& ledger) {
    auto store = std::make_unique<engine::ParameterStore>(ledger, load.store);
    for (const std::string& circuit : load.circuit_ids) store->preload(circuit);
    return store;
  };
  const Executor finish_exec(exec.threads());
  const auto backends = [&] {
    std::vector<std::unique_ptr<device::Backend>> out;
    out.push_back(device::make_cpu_backend(exec, finish_exec));
    return out;
  };
  std::vector<BenchRow> rows;
  // What the program has before the first row: what a row leaves behind belongs into the next one's budget.
  std::vector<std::uint64_t> pools;
  for (const std::uint64_t budget : budgets) pools.push_back(engine::ledger_budget(budget));
  if (options.bare) rows.push_back(measure_bare(options, load, budgets.back(), exec));
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    for (const unsigned count : options.bench.rows()) {
      rows.push_back(measure_row(bench, {budgets[i], {pools[i]}, count, kits, backends}, exec, console));
    }
  }
  std::vector<Json> documents;
  documents.reserve(rows.size());
  for (const BenchRow& row : rows) documents.push_back(bench_row_json(row));
  if (!options.bench.plot.empty()) write_bench_plot(options.bench.plot, rows);
  if (options.bench.csv) {
    print_csv(documents);
  } else if (options.common.json) {
    for (std::size_t i = 0; i < rows.size(); ++i) documents[i]["latencies"] = latencies_json(rows[i]);
    print_json({{"proofs", bench.proofs}, {"concurrency", bench.concurrency}, {"rows", documents}});
  } else {
    print_bench_table(bench, rows);
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
  add_bench_options(*app, options->bench);
  app->add_option("--memory", options->memory, "Memory budgets, a row each (default: what is free, less a margin)")
      ->delimiter(',')
      ->type_name("SIZE,...");
  app->add_flag("--bare", options->bare, "First a row without the engine: one proof after another");
  app->add_flag("--check-memory", options->check_memory,
                "Exit with 1 when more than 5 % of a budget was resident that the ledger did not know of");
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
