#pragma once
/// The rows of `bench prove`, `bench porep` and `bench gpu`: the engine under load, with one configuration each.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/memory_plot.hpp"
#include "engine/engine.hpp"

namespace proofline::cli {

/// What the commands can be told.
struct BenchOptions {
  unsigned proofs = 4;
  unsigned concurrency = 2;
  std::vector<unsigned> workers = {};
  std::string trace = {};
  std::string plot = {};
  bool csv = false;

  /// The numbers of workers, a row each; 0: as measured.
  std::vector<unsigned> rows() const { return workers.empty() ? std::vector<unsigned>{0} : workers; }
};
void add_bench_options(CLI::App& app, BenchOptions& options);

struct BenchRow {
  std::string workers;  ///< "bare" for proofs one after another, without the engine
  std::uint64_t budget = 0;
  double seconds_per_proof = 0;
  std::map<std::string, std::vector<double>> latencies;  ///< by kind of proof
  std::uint64_t peak_ledger = 0, peak_pinned = 0, peak_device = 0, peak_resident = 0, unknown = 0;
  std::size_t peak_waiting = 0;
  double device_busy_share = 0;
  PlotPanel panel;

  std::vector<double> all_latencies() const;
};

/// What is proved in every row.
struct BenchLoad {
  std::vector<engine::ProofRequest> requests;  ///< in turns
  unsigned proofs = 0, concurrency = 0;
  std::string trace;  ///< file for the last row's events; empty: none
};

/// What a row's engine is made from.
struct BenchEngine {
  std::uint64_t budget = 0;                                                       ///< of the process, for the table
  std::vector<std::uint64_t> pools;                                               ///< the ledger's budgets
  unsigned workers = 0;                                                           ///< 0: as measured
  std::function<std::unique_ptr<engine::KitSource>(engine::MemoryLedger&)> kits;  ///< with all that is needed loaded
  std::function<std::vector<std::unique_ptr<device::Backend>>()> backends;
};

/// Proves it, and hands each proof to `on_proof`, if there is one. Throws Error when a proof fails.
BenchRow measure_row(const BenchLoad& load, const BenchEngine& parts, const Executor& exec, ConsoleProgress& console,
                     const std::function<void(const engine::JobStatus&)>& on_proof = {});

/// The smallest value that this share of them does not exceed.
double quantile(std::vector<double> values, double share);

Json bench_row_json(const BenchRow& row);
/// Beside bench_row_json(): lists do not fit into a row of CSV.
Json latencies_json(const BenchRow& row);
void print_bench_table(const BenchLoad& load, const std::vector<BenchRow>& rows);
/// Memory and occupancy over time, a panel a row that has one.
void write_bench_plot(const std::string& path, const std::vector<BenchRow>& rows);

}  // namespace proofline::cli
