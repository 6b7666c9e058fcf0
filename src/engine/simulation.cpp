#include "engine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <utility>

namespace proofline::engine {
namespace {

/// Synthesis work below this many seconds counts as done, so that rounding neither parts what ends together nor makes
/// steps that do not move the time.
double rounding(double now) {
  return 1e-9 + 1e-12 * now;
}

/// Partitions are numbered proof by proof, so that a smaller number is an older proof's.
using PartitionId = std::size_t;

struct StageTimes {
  double synthesis = 0;
  double device = 0;
  double finish = 0;
};

enum class EventKind { kParsed, kDeviceDone, kFinished, kVerified };

struct Event {
  double time = 0;
  std::size_t order = 0;  ///< of making, so that events of one time have an order
  EventKind kind{};
  std::size_t subject = 0;  ///< proof or partition

  bool operator>(const Event& other) const { return std::pair(time, order) > std::pair(other.time, other.order); }
};

struct Synthesis {
  PartitionId partition = 0;
  double remaining = 0;  ///< seconds, if it ran alone
};

struct Delivery {
  double time = 0;
  double slot_seconds = 0;  ///< that devices were busy until then
};

template <typename T>
using OldestFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;

/// A number from 1 - jitter to 1 + jitter. std::uniform_real_distribution may differ between libraries.
double factor(std::mt19937_64& generator, double jitter) {
  const double unit = static_cast<double>(generator() >> 11) * 0x1p-53;
  return 1 + jitter * (2 * unit - 1);
}

std::vector<StageTimes> stage_times(const SimulationConfig& config) {
  std::mt19937_64 generator(config.seed);
  std::vector<StageTimes> times(std::size_t{config.proofs} * config.partitions);
  for (StageTimes& partition : times) {
    partition.synthesis = config.synthesis_seconds * factor(generator, config.jitter);
    partition.device = config.device_seconds * factor(generator, config.jitter);
    partition.finish = config.finish_seconds * factor(generator, config.jitter);
  }
  return times;
}

struct Pipeline {
  explicit Pipeline(const SimulationConfig& given)
      : config(given), times(stage_times(given)), host_bytes(given.base_bytes), reserved_bytes(given.base_bytes) {}

  const SimulationConfig& config;
  std::vector<StageTimes> times;
  double now = 0;

  OldestFirst<Event> events;
  std::size_t scheduled = 0;
  OldestFirst<PartitionId> to_synthesise;
  std::vector<Synthesis> syntheses;
  OldestFirst<PartitionId> synthesised;
  unsigned busy_slots = 0;

  std::size_t entered = 0;
  std::vector<double> entered_at;
  std::vector<unsigned> unfinished;  ///< partitions of each proof
  std::vector<double> latencies;     ///< in order of delivery
  std::vector<std::size_t> delivered_proofs;
  std::vector<Delivery> deliveries;

  std::uint64_t host_bytes = 0;
  std::uint64_t reserved_bytes = 0;  ///< what the ledger has granted
  double slot_seconds = 0;
  SimulationResult result;
};

void schedule(Pipeline& pipeline, double delay, EventKind kind, std::size_t subject) {
  pipeline.events.push({pipeline.now + delay, pipeline.scheduled++, kind, subject});
}

void enter_proof(Pipeline& pipeline) {
  if (pipeline.entered == pipeline.config.proofs) return;
  pipeline.entered_at.push_back(pipeline.now);
  pipeline.unfinished.push_back(pipeline.config.partitions);
  schedule(pipeline, pipeline.config.parse_seconds, EventKind::kParsed, pipeline.entered++);
}

/// How much longer a synthesis takes than alone, now.
double slowdown(const Pipeline& pipeline) {
  const double others = static_cast<double>(pipeline.syntheses.size()) - 1;
  return 1 + pipeline.config.synthesis_slowdown * std::max(others, 0.0);
}

bool may_synthesise(const Pipeline& pipeline) {
  const SimulationConfig& config = pipeline.config;
  if (pipeline.to_synthesise.empty()) return false;
  const bool held = config.policy == FlowControl::kHoldThroughHandover;
  const std::size_t permits = pipeline.syntheses.size() + (held ? pipeline.synthesised.size() : 0);
  if (permits >= config.workers) return false;
  return config.policy != FlowControl::kLedger ||
         pipeline.reserved_bytes + config.partition_bytes <= config.budget_bytes;
}

void start_synthesis(Pipeline& pipeline) {
  const PartitionId partition = pipeline.to_synthesise.top();
  pipeline.to_synthesise.pop();
  pipeline.syntheses.push_back({partition, pipeline.times[partition].synthesis});
  pipeline.host_bytes += pipeline.config.synthesis_bytes;
  pipeline.reserved_bytes += pipeline.config.partition_bytes;
}

/// Moves the syntheses that are done to the devices' queue. True when there were any.
bool end_syntheses(Pipeline& pipeline) {
  const auto ended = [&](const Synthesis& synthesis) {
    if (synthesis.remaining > rounding(pipeline.now)) return false;
    pipeline.synthesised.push(synthesis.partition);
    pipeline.host_bytes += pipeline.config.partition_bytes - pipeline.config.synthesis_bytes;
    return true;
  };
  return std::erase_if(pipeline.syntheses, ended) != 0;
}

void free_bytes(Pipeline& pipeline, std::uint64_t bytes) {
  pipeline.host_bytes -= bytes;
  pipeline.reserved_bytes -= bytes;
}

void start_device(Pipeline& pipeline) {
  const PartitionId partition = pipeline.synthesised.top();
  pipeline.synthesised.pop();
  ++pipeline.busy_slots;
  free_bytes(pipeline, pipeline.config.freed_bytes);
  schedule(pipeline, pipeline.times[partition].device, EventKind::kDeviceDone, partition);
}

void deliver(Pipeline& pipeline, std::size_t proof) {
  pipeline.latencies.push_back(pipeline.now - pipeline.entered_at[proof]);
  pipeline.delivered_proofs.push_back(proof);
  pipeline.deliveries.push_back({pipeline.now, pipeline.slot_seconds});
  enter_proof(pipeline);
}

void handle(Pipeline& pipeline, const Event& event) {
  const SimulationConfig& config = pipeline.config;
  switch (event.kind) {
    case EventKind::kParsed:
      for (unsigned i = 0; i < config.partitions; ++i)
        pipeline.to_synthesise.push(event.subject * config.partitions + i);
      break;
    case EventKind::kDeviceDone:
      --pipeline.busy_slots;
      schedule(pipeline, pipeline.times[event.subject].finish, EventKind::kFinished, event.subject);
      break;
    case EventKind::kFinished: {
      free_bytes(pipeline, config.partition_bytes - config.freed_bytes);
      const std::size_t proof = event.subject / config.partitions;
      if (--pipeline.unfinished[proof] == 0) schedule(pipeline, config.verify_seconds, EventKind::kVerified, proof);
      break;
    }
    case EventKind::kVerified:
      deliver(pipeline, event.subject);
      break;
  }
}

/// Does all that can be done at this time.
void settle(Pipeline& pipeline) {
  for (bool changed = true; changed;) {
    changed = end_syntheses(pipeline);
    while (!pipeline.events.empty() && pipeline.events.top().time <= pipeline.now) {
      const Event event = pipeline.events.top();
      pipeline.events.pop();
      handle(pipeline, event);
      changed = true;
    }
    while (pipeline.busy_slots < pipeline.config.device_slots && !pipeline.synthesised.empty()) {
      start_device(pipeline);
      changed = true;
    }
    while (may_synthesise(pipeline)) {
      start_synthesis(pipeline);
      changed = true;
    }
  }
}

void record(Pipeline& pipeline) {
  SimulationResult& result = pipeline.result;
  const SimulationSample sample = {pipeline.now, pipeline.host_bytes, static_cast<unsigned>(pipeline.syntheses.size()),
                                   static_cast<unsigned>(pipeline.synthesised.size()), pipeline.busy_slots};
  result.peak_host_bytes = std::max(result.peak_host_bytes, sample.host_bytes);
  result.peak_device_bytes = std::max(result.peak_device_bytes, sample.busy_slots * pipeline.config.device_bytes);
  result.peak_queued = std::max(result.peak_queued, sample.queued);
  if (!result.exceeded_at && sample.host_bytes > pipeline.config.machine_bytes) result.exceeded_at = sample.seconds;
  result.samples.push_back(sample);
}

/// Moves the time to the next thing that happens.
void advance(Pipeline& pipeline) {
  const double slow = slowdown(pipeline);
  double next = pipeline.events.empty() ? std::numeric_limits<double>::infinity() : pipeline.events.top().time;
  for (const Synthesis& synthesis : pipeline.syntheses) {
    next = std::min(next, pipeline.now + synthesis.remaining * slow);
  }
  const double passed = next - pipeline.now;
  for (Synthesis& synthesis : pipeline.syntheses) synthesis.remaining -= passed / slow;
  pipeline.slot_seconds += passed * pipeline.busy_slots;
  pipeline.now = next;
}

/// The smallest value that `share` of them do not exceed.
double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

void summarise(Pipeline& pipeline) {
  SimulationResult& result = pipeline.result;
  const std::vector<Delivery>& deliveries = pipeline.deliveries;
  for (const Delivery& delivery : deliveries) result.delivered_at.push_back(delivery.time);
  result.total_seconds = deliveries.back().time;

  const std::size_t count = deliveries.size();
  const Delivery from = count < 4 ? Delivery{} : deliveries[count / 4 - 1];
  const Delivery to = count < 4 ? deliveries.back() : deliveries[count - count / 4 - 1];
  const std::size_t proofs = count < 4 ? count : count - 2 * (count / 4);
  result.seconds_per_proof = (to.time - from.time) / static_cast<double>(proofs);
  const double available = (to.time - from.time) * pipeline.config.device_slots;
  result.device_busy_share = available > 0 ? (to.slot_seconds - from.slot_seconds) / available : 0;

  std::vector<double> steady;
  for (std::size_t i = 0; i < count; ++i) {
    if (pipeline.delivered_proofs[i] >= pipeline.config.proofs_in_flight) steady.push_back(pipeline.latencies[i]);
  }
  if (steady.empty()) steady = pipeline.latencies;
  result.latency_p50 = quantile(steady, 0.5);
  result.latency_p95 = quantile(steady, 0.95);
}

}  // namespace

SimulationResult simulate(const SimulationConfig& config) {
  check(config);
  Pipeline pipeline(config);
  for (unsigned i = 0; i < config.proofs_in_flight; ++i) enter_proof(pipeline);
  settle(pipeline);
  record(pipeline);
  while (pipeline.deliveries.size() < config.proofs) {
    advance(pipeline);
    settle(pipeline);
    record(pipeline);
  }
  summarise(pipeline);
  return std::move(pipeline.result);
}

}  // namespace proofline::engine
