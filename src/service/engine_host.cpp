#include "service/engine_host.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "device/cpu/cpu_backend.hpp"
#include "engine/memory_budget.hpp"
#include "engine/parameter_files.hpp"
#include "filecoin/circuit_id.hpp"
#include "service/kind_names.hpp"

namespace proofline::service {
namespace {

namespace fs = std::filesystem;
using engine::KitInfo;

constexpr std::size_t kEvents = std::size_t{1} << 16;

fs::path made_folder(const fs::path& folder) {
  std::error_code error;
  // Requests are kept there: not for everybody to read.
  if (fs::create_directories(folder, error))
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec, error);
  if (error)
    throw IoError(fmt::format("daemon.state_dir: {}: cannot make the folder: {}", folder.string(), error.message()));
  return folder;
}

engine::ParameterStoreOptions store_options(const Config& config, const Log& log) {
  engine::ParameterStoreOptions out;
  if (!config.srs.param_cache.empty()) out.parameter_folder = config.srs.param_cache;
  out.circuit_cache =
      config.srs.circuit_cache.empty() ? config.daemon.state_dir / "circuits" : config.srs.circuit_cache;
  out.published = config.srs.published;
  out.state_folder = config.daemon.state_dir / "checked";
  out.warn = [&log](const std::string& message) { log.warn(message); };
  return out;
}

engine::EngineOptions engine_options(const Config& config) {
  engine::EngineOptions out;
  out.witness_workers = config.synthesis.witness_workers;
  out.proofs_in_flight = config.scheduler.proofs_in_flight;
  out.step_timeout = config.scheduler.step_timeout;
  out.critical_circuits = config.scheduler.critical_circuits;
  return out;
}

/// Parameter files of the same circuit and another version: "v27-..." beside the "v28-..." that is looked for.
std::string other_version(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string rest = name.substr(name.find('-'));
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path(), error)) {
    const std::string other = entry.path().filename().string();
    if (other != name && other.starts_with('v') && other.ends_with(rest)) return other;
  }
  return {};
}

/// `is_wanted`: the configuration names the circuit.
void report(const KitInfo& info, bool is_wanted, const Log& log) {
  const std::string file = info.parameter_file.string();
  if (info.state == engine::KitState::kMissing) {
    if (const std::string other = other_version(info.parameter_file); !other.empty()) {
      log.warn("parameters are of another version",
               {{"circuit", info.circuit_id}, {"found", other}, {"expected", file}});
    }
    const std::string what =
        engine::missing_parameters(info.circuit_id, filecoin::parse_circuit_id(info.circuit_id), info.parameter_file);
    if (is_wanted) {
      log.warn("parameters are missing", {{"circuit", info.circuit_id}, {"what", what}});
    } else {
      log.info("parameters are missing", {{"circuit", info.circuit_id}, {"what", what}});
    }
    return;
  }
  try {
    const groth16::MappedParameters parameters(file);
    log.info("parameters are present",
             {{"circuit", info.circuit_id}, {"file", file}, {"size", format_bytes(info.parameter_bytes)}});
  } catch (const Error& error) {
    log.error("parameters are damaged", {{"circuit", info.circuit_id}, {"what", error.what()}});
  }
}

}  // namespace

std::uint64_t memory_budget(const MemoryConfig& config) {
  if (config.total_budget) {
    if (*config.total_budget == 0) throw InputError("memory.total_budget: is 0; expected a size, or \"auto\"");
    return *config.total_budget;
  }
  engine::HostMemory memory = engine::read_host_memory();
  std::uint64_t budget = engine::default_host_budget(memory);
  if (config.safety_margin) {
    std::uint64_t free = memory.available;
    if (memory.cgroup_limit)
      free = std::min(free, *memory.cgroup_limit - std::min(*memory.cgroup_limit, memory.cgroup_used));
    budget = free - std::min(free, *config.safety_margin);
  }
  if (budget == 0)
    throw InputError(
        "memory.total_budget: no memory is free beyond the margin; set it, or a smaller memory.safety_margin");
  return budget;
}

EngineHost::EngineHost(const Config& config, const Log& log, HostParts parts)
    : log_(log),
      started_(std::chrono::steady_clock::now()),
      circuits_(config.srs.circuits),
      own_kits_(parts.kits == nullptr),
      make_task_(parts.make_task ? std::move(parts.make_task) : engine::make_task),
      gpus_(chosen_gpus(config.gpus, log)),
      receive_(service::receive_memory(config.daemon, memory_budget(config.memory))),
      exec_(config.synthesis.threads),
      witness_exec_(config.synthesis.threads),
      finish_exec_(config.synthesis.threads),
      recorder_(kEvents),
      ledger_(pools(engine::ledger_budget(memory_budget(config.memory), receive_.total), config.memory, gpus_),
              &recorder_),
      device_memory_(ledger_),
      journal_(std::make_unique<engine::Journal>(made_folder(config.daemon.state_dir) / "journal.sqlite")),
      store_(std::make_unique<engine::ParameterStore>(ledger_, store_options(config, log))) {
  engine::EngineOptions options = engine_options(config);
  options.on_end = [this](const engine::JobRecord& record) { job_ended(record); };
  options.devices_for_kinds = devices_for_kinds(config.gpus, gpus_, log);
  if (parts.backends.empty()) {
    parts.backends = make_backends(config, gpus_, device_memory_, exec_, finish_exec_, log);
    if (!gpus_.empty() && config.gpus.cpu_fallback) parts.fallback = device::make_cpu_backend(exec_, finish_exec_);
  }
  engine::KitSource& kits = own_kits_ ? *store_ : *parts.kits;
  const std::size_t unfinished = journal_->unfinished().size();
  engine_ = std::make_unique<engine::Engine>(
      engine::EngineParts{ledger_, recorder_, *journal_, kits,
                          [this](engine::ProofRequest request) { return checked_task(std::move(request)); },
                          std::move(parts.backends), witness_exec_, std::move(parts.fallback)},
      std::move(options));
  if (receive_.uploads < config.daemon.max_uploads || receive_.message < config.daemon.max_message_size) {
    log.info("requests are received within an eighth of the memory budget",
             {{"max_message_size", format_bytes(receive_.message)}, {"max_uploads", std::to_string(receive_.uploads)}});
  }
  log.info("engine started", {{"memory", format_bytes(ledger_.state(engine::Pool::host()).budget)},
                              {"receiving", format_bytes(receive_.total)},
                              {"threads", std::to_string(exec_.threads())},
                              {"jobs_taken_up", std::to_string(unfinished)}});
}

EngineHost::~EngineHost() = default;

std::map<filecoin::CircuitKind, KindCounts> EngineHost::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<KitInfo> EngineHost::circuits() const {
  std::vector<KitInfo> out = store_->list();
  std::erase_if(out, [&](const KitInfo& kit) {
    return kit.state == engine::KitState::kMissing && std::ranges::find(circuits_, kit.circuit_id) == circuits_.end();
  });
  return out;
}

void EngineHost::require_circuit(const std::string& circuit_id) const {
  if (!circuits_.empty() && std::ranges::find(circuits_, circuit_id) == circuits_.end()) {
    throw CircuitNotServed(
        fmt::format("{}: this daemon serves {} (srs.circuits)", circuit_id, fmt::join(circuits_, ", ")));
  }
  if (!own_kits_) return;
  const std::vector<KitInfo> kits = store_->list();
  const auto kit = std::ranges::find(kits, circuit_id, &KitInfo::circuit_id);
  if (kit == kits.end() || kit->state != engine::KitState::kMissing) return;
  throw MissingParameters(
      engine::missing_parameters(circuit_id, filecoin::parse_circuit_id(circuit_id), kit->parameter_file));
}

std::shared_ptr<const engine::ProofTask> EngineHost::checked_task(engine::ProofRequest request) const {
  auto task = make_task_(std::move(request));
  require_circuit(task->circuit_id());
  return task;
}

void EngineHost::job_ended(const engine::JobRecord& record) {
  const double seconds = std::chrono::duration<double>(record.finished - record.accepted).count();
  {
    const std::lock_guard lock(mutex_);
    KindCounts& counts = counts_[record.kind];
    if (record.state == engine::JobState::kDone) {
      ++counts.done;
      counts.seconds += seconds;
      ++counts
            .by_seconds[static_cast<std::size_t>(std::ranges::lower_bound(kJobSeconds, seconds) - kJobSeconds.begin())];
    } else if (record.state == engine::JobState::kCancelled) {
      ++counts.cancelled;
    } else {
      ++(record.state == engine::JobState::kTimedOut ? counts.timed_out : counts.failed);
    }
  }
  const std::string name = "job " + std::string(engine::job_state_name(record.state));
  const LogFields fields = {{"job", record.request_id},
                            {"kind", std::string(kind_name(record.kind))},
                            {"seconds", fmt::format("{:.3f}", seconds)},
                            {"error", record.error.empty() ? "none" : record.error}};
  if (record.state == engine::JobState::kFailed || record.state == engine::JobState::kTimedOut) {
    log_.warn(name, fields);
  } else {
    log_.info(name, fields);
  }
}

void report_parameters(const Config& config, EngineHost& host) {
  constexpr std::uint64_t kLeastMainnetSize = std::uint64_t{32} << 30;
  for (const KitInfo& info : host.store().list()) {
    const bool is_served = std::ranges::find(config.srs.circuits, info.circuit_id) != config.srs.circuits.end();
    const bool is_mainnet = filecoin::parse_circuit_id(info.circuit_id).sector->sector_size >= kLeastMainnetSize;
    const bool is_there = info.state != engine::KitState::kMissing;
    if (config.srs.circuits.empty() ? is_mainnet || is_there : is_served) report(info, is_served, host.log());
  }
}

}  // namespace proofline::service
