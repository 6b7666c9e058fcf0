#include "cli/bench_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/file.hpp"
#include "base/resident_memory.hpp"
#include "base/units.hpp"
#include "engine/memory_watch.hpp"

namespace proofline::cli {
namespace {

using engine::Clock;

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

void print_latencies(const std::vector<BenchRow>& rows) {
  fmt::print("  {:>7}{:>14}{:>9}{:>13}{:>12}{:>12}{:>12}\n", "workers", "latency of", "proofs", "p50", "p95", "p99",
             "max");
  for (const BenchRow& row : rows) {
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

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options) {
  app.add_option("--proofs", options.proofs, "How many proofs a row")
      ->capture_default_str()
      ->check(CLI::Range(1U, 100000U));
  app.add_option("--concurrency", options.concurrency, "How many of them are submitted at a time")
      ->capture_default_str()
      ->check(CLI::Range(1U, 100000U));
  app.add_option("--workers", options.workers, "Witness workers, a row each (default: as measured)")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N,...");
  app.add_option("--trace", options.trace, "Write the last row's events here, for Perfetto")->type_name("FILE");
  app.add_option("--plot", options.plot, "Draw memory and queue over time, a panel for each row (SVG)")
      ->type_name("FILE");
  app.add_flag("--csv", options.csv, "Print rows as CSV");
}

std::vector<double> BenchRow::all_latencies() const {
  std::vector<double> out;
  for (const auto& [kind, values] : latencies) out.insert(out.end(), values.begin(), values.end());
  return out;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

BenchRow measure_row(const BenchLoad& load, const BenchEngine& parts, const Executor& exec, ConsoleProgress& console,
                     const std::function<void(const engine::JobStatus&)>& on_proof) {
  engine::EventRecorder recorder(1 << 18);
  engine::MemoryLedger ledger(parts.pools, &recorder);
  engine::Journal journal("");
  const engine::MemoryWatch watch(ledger, &recorder);
  const std::unique_ptr<engine::KitSource> kits = parts.kits(ledger);
  std::vector<std::unique_ptr<device::Backend>> backends = parts.backends();
  // A stage never waits for threads that another has.
  const Executor witness_exec(exec.threads());
  const std::string device = backends.front()->name();
  engine::Engine engine({ledger, recorder, journal, *kits, engine::make_task, std::move(backends), witness_exec},
                        {.witness_workers = parts.workers});

  BenchRow row;
  row.workers = parts.workers == 0 ? "auto" : std::to_string(parts.workers);
  row.budget = parts.budget;
  reset_peak_resident();
  const Clock::time_point begin = Clock::now();
  std::deque<engine::JobId> in_flight;
  unsigned done = 0;
  for (unsigned submitted = 0; submitted < load.proofs || !in_flight.empty();) {
    console.report(fmt::format("{} workers, {}: proofs", row.workers, format_bytes(parts.budget)), done, load.proofs);
    if (submitted < load.proofs && in_flight.size() < load.concurrency) {
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
    const engine::JobStatus status = engine.status(*ended);
    const engine::JobRecord& record = status.record;
    if (record.state != engine::JobState::kDone) throw Error("a proof failed: " + record.error);
    row.latencies[std::string(filecoin::circuit_kind_name(record.kind))].push_back(
        std::chrono::duration<double>(record.finished - record.accepted).count());
    if (on_proof) on_proof(status);
    in_flight.erase(ended);
    ++done;
  }
  const Clock::time_point end = Clock::now();
  console.end_stage();
  const engine::MemoryWatch::Peaks peaks = watch.peaks();
  row.seconds_per_proof = seconds_between(begin, end) / load.proofs;
  row.peak_ledger = ledger.state(engine::Pool::host()).peak;
  row.peak_pinned = ledger.state(engine::Pool::pinned()).peak;
  row.peak_device = ledger.state(engine::Pool::device(0)).peak;
  row.peak_resident = std::max(peaks.resident, peak_resident_bytes());
  row.unknown = peaks.unknown;
  row.peak_waiting = engine.status().partitions_waiting_peak;
  const engine::EventRecorder::Contents recorded = recorder.contents();
  row.device_busy_share = engine::busy_share(recorded, device, "start", begin, end);
  if (!load.trace.empty()) engine::write_chrome_trace(recorded, load.trace);
  row.panel.samples = samples_of(recorded, begin, end);
  row.panel.total_seconds = seconds_between(begin, end);
  row.panel.budget_bytes = parts.budget;
  row.panel.title = fmt::format("{} workers, {}: {:.2f} s/proof, {}", row.workers, format_bytes(parts.budget),
                                row.seconds_per_proof, format_bytes(row.peak_resident));
  return row;
}

Json bench_row_json(const BenchRow& row) {
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

Json latencies_json(const BenchRow& row) {
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

void print_bench_table(const BenchLoad& load, const std::vector<BenchRow>& rows) {
  fmt::print("{} proofs a row, {} in flight\n", load.proofs, load.concurrency);
  fmt::print("  {:>7}{:>12}{:>11}{:>13}{:>12}{:>13}{:>10}{:>10}{:>15}{:>10}{:>9}{:>9}\n", "workers", "memory",
             "s/proof", "latency p50", "p95", "peak ledger", "pinned", "device", "peak resident", "unknown", "waiting",
             "busy");
  for (const BenchRow& row : rows) {
    const std::vector<double> latencies = row.all_latencies();
    fmt::print("  {:>7}{:>12}{:>11.3f}{:>13}{:>12}{:>13}{:>10}{:>10}{:>15}{:>10}{:>9}{:>7.1f} %\n", row.workers,
               bytes_or_none(row.budget), row.seconds_per_proof, format_seconds(quantile(latencies, 0.5)),
               format_seconds(quantile(latencies, 0.95)), bytes_or_none(row.peak_ledger),
               bytes_or_none(row.peak_pinned), bytes_or_none(row.peak_device), format_bytes(row.peak_resident),
               bytes_or_none(row.unknown), row.peak_waiting, 100 * row.device_busy_share);
  }
  if (rows.front().latencies.size() > 1) print_latencies(rows);
}

void write_bench_plot(const std::string& path, const std::vector<BenchRow>& rows) {
  std::vector<PlotPanel> panels;
  for (const BenchRow& row : rows) {
    if (!row.panel.samples.empty()) panels.push_back(row.panel);
  }
  AtomicFile file(path);
  file.write(memory_svg(panels, std::min<std::size_t>(panels.size(), 3), "seconds"));
  file.commit();
}

}  // namespace proofline::cli
