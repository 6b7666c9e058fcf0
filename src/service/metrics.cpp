#include "service/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>

#include "base/resident_memory.hpp"
#include "service/host_report.hpp"
#include "service/kind_names.hpp"

namespace proofline::service {
namespace {

using engine::MemoryLedger;
using prometheus::ClientMetric;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

/// "porep_c2", "msm_scratch"
std::string label(std::string_view name) {
  std::string out(name);
  std::ranges::replace_if(
      out, [](char c) { return c == '-' || c == ' '; }, '_');
  return out;
}

std::string label(filecoin::CircuitKind kind) {
  return label(kind_name(kind));
}

class Metrics {
 public:
  void family(std::string name, MetricType type, std::string help) {
    families_.push_back({std::move(name), std::move(help), type, {}});
  }
  void gauge(Labels labels, double value) { metric(std::move(labels)).gauge.value = value; }
  void counter(Labels labels, double value) { metric(std::move(labels)).counter.value = value; }
  ClientMetric& metric(Labels labels) {
    ClientMetric& out = families_.back().metric.emplace_back();
    out.label = std::move(labels);
    return out;
  }
  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  std::vector<prometheus::MetricFamily> families_;
};

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

void add_process(Metrics& out, const EngineHost& host) {
  out.family("proofline_build_info", MetricType::Gauge, "Always 1; the label is the version that runs.");
  out.gauge({{"version", PROOFLINE_VERSION}}, 1);
  out.family("proofline_uptime_seconds", MetricType::Gauge, "Time since the daemon started.");
  out.gauge({}, uptime_seconds(host));
  const ResidentMemory memory = resident_memory();
  out.family("proofline_resident_memory_bytes", MetricType::Gauge,
             "Memory of the process; pages of mapped parameter files included.");
  out.gauge({}, number(memory.total));
  out.family("proofline_anonymous_memory_bytes", MetricType::Gauge,
             "Memory of the process without pages of mapped files.");
  out.gauge({}, number(memory.total - memory.file));
}

void add_jobs(Metrics& out, const EngineHost& host, const engine::EngineStatus& status) {
  out.family("proofline_jobs", MetricType::Gauge, "Jobs that have not ended.");
  for (const filecoin::CircuitKind kind : kKinds) {
    out.gauge({{"kind", label(kind)}, {"state", "queued"}}, number(count_of(status.queued, kind)));
    out.gauge({{"kind", label(kind)}, {"state", "running"}}, number(count_of(status.running, kind)));
  }
  std::map<filecoin::CircuitKind, KindCounts> counts = host.counts();
  out.family("proofline_jobs_ended_total", MetricType::Counter, "Jobs that have ended in this run of the daemon.");
  for (const filecoin::CircuitKind kind : kKinds) {
    const KindCounts& ended = counts[kind];
    out.counter({{"kind", label(kind)}, {"outcome", "done"}}, number(ended.done));
    out.counter({{"kind", label(kind)}, {"outcome", "failed"}}, number(ended.failed));
    out.counter({{"kind", label(kind)}, {"outcome", "cancelled"}}, number(ended.cancelled));
    out.counter({{"kind", label(kind)}, {"outcome", "timed_out"}}, number(ended.timed_out));
  }
  out.family("proofline_job_seconds", MetricType::Histogram,
             "Time from a job's acceptance to its proof, of jobs that are done.");
  for (const filecoin::CircuitKind kind : kKinds) {
    const KindCounts& ended = counts[kind];
    ClientMetric::Histogram& histogram = out.metric({{"kind", label(kind)}}).histogram;
    histogram.sample_count = ended.done;
    histogram.sample_sum = ended.seconds;
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < ended.by_seconds.size(); ++i) {
      so_far += ended.by_seconds[i];
      histogram.bucket.push_back(
          {so_far, i < kJobSeconds.size() ? kJobSeconds[i] : std::numeric_limits<double>::infinity()});
    }
  }
}

void add_stages(Metrics& out, EngineHost& host, const engine::EngineStatus& status) {
  out.family("proofline_stage_seconds", MetricType::Summary,
             "Time of a stage of one partition; stages of different partitions overlap.");
  for (const engine::StageTotal& stage : status.stages) {
    ClientMetric::Summary& summary = out.metric({{"stage", label(stage.name)}}).summary;
    summary.sample_count = stage.count;
    summary.sample_sum = stage.seconds;
  }
  std::array<std::uint64_t, engine::kPartitionStages> partitions{};
  for (const engine::JobStatus& job : host.engine().jobs()) {
    for (const engine::PartitionStage stage : job.partitions) ++partitions[static_cast<std::size_t>(stage)];
  }
  out.family("proofline_partitions", MetricType::Gauge, "Partitions of running jobs, by where they are.");
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    out.gauge({{"stage", label(engine::partition_stage_name(static_cast<engine::PartitionStage>(i)))}},
              number(partitions[i]));
  }
  out.family("proofline_witness_workers", MetricType::Gauge, "Partitions whose witness may be made at a time.");
  out.gauge({}, number(status.witness_workers));
}

void add_memory(Metrics& out, const EngineHost& host, const engine::EngineStatus& status) {
  const std::vector<PoolReport> pools = memory_pools(host, status.devices.size());
  const auto all = [&](std::string name, std::string help, auto value) {
    out.family(std::move(name), MetricType::Gauge, std::move(help));
    for (const PoolReport& pool : pools) out.gauge({{"pool", label(pool.name)}}, number(value(pool.state)));
  };
  using State = MemoryLedger::PoolState;
  all("proofline_memory_budget_bytes", "Memory that may be reserved.", [](const State& pool) { return pool.budget; });
  all("proofline_memory_peak_bytes", "The most memory that was reserved at a time.",
      [](const State& pool) { return pool.peak; });
  all("proofline_memory_evictable_bytes", "Reserved memory of idle circuits, which others can have.",
      [](const State& pool) { return pool.evictable; });
  all("proofline_memory_requests_waiting", "Requests for memory that wait for others to give some back.",
      [](const State& pool) { return std::uint64_t{pool.waiting}; });
  out.family("proofline_memory_reserved_bytes", MetricType::Gauge, "Memory that is reserved, by what it is for.");
  for (const PoolReport& pool : pools) {
    for (std::size_t i = 0; i < engine::kMemoryClasses; ++i) {
      const std::string_view name = engine::memory_class_name(static_cast<engine::MemoryClass>(i));
      out.gauge({{"pool", label(pool.name)}, {"class", label(name)}}, number(pool.state.by_class[i]));
    }
  }
}

void add_devices(Metrics& out, const engine::EngineStatus& status) {
  const auto all = [&](std::string name, MetricType type, std::string help, auto value) {
    out.family(std::move(name), type, std::move(help));
    for (std::size_t i = 0; i < status.devices.size(); ++i) {
      // Two of a kind have the same name.
      const Labels labels = {{"device", std::to_string(i)}, {"name", status.devices[i].name}};
      if (type == MetricType::Counter) {
        out.counter(labels, number(value(status.devices[i])));
      } else {
        out.gauge(labels, number(value(status.devices[i])));
      }
    }
  };
  using Device = engine::DeviceStatus;
  all("proofline_device_busy", MetricType::Gauge, "1 while the device works on a partition.",
      [](const Device& device) { return device.work.empty() ? 0U : 1U; });
  all("proofline_device_lost", MetricType::Gauge, "1 while the device does not answer.",
      [](const Device& device) { return device.lost ? 1U : 0U; });
  all("proofline_device_partitions_total", MetricType::Counter, "Partitions that the device has proved.",
      [](const Device& device) { return device.partitions; });
  all("proofline_device_failures_total", MetricType::Counter, "Partitions that the device has failed on.",
      [](const Device& device) { return device.failures; });
}

void add_circuits(Metrics& out, const EngineHost& host) {
  using engine::KitState;
  const std::vector<engine::KitInfo> circuits = host.circuits();
  out.family("proofline_circuit_state", MetricType::Gauge,
             "1 for the state that the circuit is in: missing (no parameters), cold (on disk), warm (in memory), hot "
             "(in use).");
  for (const engine::KitInfo& circuit : circuits) {
    for (const KitState state : {KitState::kMissing, KitState::kCold, KitState::kWarm, KitState::kHot}) {
      out.gauge({{"circuit", circuit.circuit_id}, {"state", std::string(engine::kit_state_name(state))}},
                circuit.state == state ? 1 : 0);
    }
  }
  out.family("proofline_circuit_memory_bytes", MetricType::Gauge, "What the circuit takes in memory.");
  for (const engine::KitInfo& circuit : circuits)
    out.gauge({{"circuit", circuit.circuit_id}}, number(circuit.circuit_bytes));
  out.family("proofline_circuit_parameter_file_bytes", MetricType::Gauge, "Size of the circuit's parameter file.");
  for (const engine::KitInfo& circuit : circuits)
    out.gauge({{"circuit", circuit.circuit_id}}, number(circuit.parameter_bytes));
  out.family("proofline_circuit_uses_total", MetricType::Counter, "Jobs that the circuit was given to.");
  for (const engine::KitInfo& circuit : circuits) out.counter({{"circuit", circuit.circuit_id}}, number(circuit.uses));
}

}  // namespace

std::string metrics_text(EngineHost& host) {
  const engine::EngineStatus status = host.engine().status();
  Metrics out;
  add_process(out, host);
  add_jobs(out, host, status);
  add_stages(out, host, status);
  add_memory(out, host, status);
  add_devices(out, status);
  add_circuits(out, host);
  return out.text();
}

}  // namespace proofline::service
