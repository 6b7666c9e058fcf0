#include "engine/parameter_store.hpp"

#include <array>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "engine/kit_circuit.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kStateNames = {"missing", "cold", "warm", "hot"};

/// Thrown through work that reports its progress, to end it.
struct Stopped {};

class StopProgress final : public Progress {
 public:
  explicit StopProgress(const std::stop_token& stop) : stop_(stop) {}
  void report(std::string_view, std::uint64_t, std::uint64_t) override { check(); }
  void check() const {
    if (stop_.stop_requested()) throw Stopped{};
  }

 private:
  const std::stop_token& stop_;
};

std::uint64_t size_or_zero(const fs::path& file) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

}  // namespace

std::string_view kit_state_name(KitState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

/// The data of one loading. What the ledger evicts is freed here; nobody reads it then, for that takes a Use.
struct ParameterStore::Contents {
  std::mutex mutex;
  std::shared_ptr<const r1cs::StructuredR1cs> circuit;
  std::shared_ptr<const groth16::MappedParameters> parameters;
  std::shared_ptr<const groth16::PreparedVerifyingKey> key;

  void drop_circuit() {
    std::shared_ptr<const r1cs::StructuredR1cs> dying;
    const std::lock_guard lock(mutex);
    dying.swap(circuit);
  }
  void drop_parameters() {
    const std::lock_guard lock(mutex);
    parameters.reset();
    key.reset();
  }
  void drop() {
    drop_circuit();
    drop_parameters();
  }
  /// Whether somebody else holds the circuit; nothing when it has been evicted.
  std::optional<bool> in_use() {
    const std::lock_guard lock(mutex);
    if (circuit == nullptr) return std::nullopt;
    return circuit.use_count() > 1;
  }
};

struct ParameterStore::Loaded {
  std::shared_ptr<Contents> contents = std::make_shared<Contents>();
  std::shared_ptr<CachedMemory> circuit, parameters;
  std::uint64_t circuit_bytes = 0;
};

ParameterStore::ParameterStore(MemoryLedger& ledger, ParameterStoreOptions options)
    : ledger_(ledger), options_(std::move(options)) {
  for (const auto* files : {&options_.parameter_files, &options_.circuit_files}) {
    for (const auto& [id, file] : *files) filecoin::parse_circuit_id(id);
  }
  for (const std::string& id : filecoin::circuit_ids()) entries_[id];
}

ParameterStore::~ParameterStore() = default;

fs::path ParameterStore::parameter_file(const std::string& circuit_id) const {
  const auto given = options_.parameter_files.find(circuit_id);
  if (given != options_.parameter_files.end()) return given->second;
  return parameter_file_in(options_.parameter_folder, filecoin::parse_circuit_id(circuit_id));
}

std::optional<ProvingKit> ParameterStore::take(Entry& entry) {
  if (entry.loaded == nullptr) return std::nullopt;
  auto circuit = CachedMemory::use(entry.loaded->circuit);
  auto parameters = CachedMemory::use(entry.loaded->parameters);
  if (!circuit || !parameters) return std::nullopt;
  ProvingKit out;
  {
    Contents& contents = *entry.loaded->contents;
    const std::lock_guard lock(contents.mutex);
    out.circuit = contents.circuit;
    out.parameters = contents.parameters;
    out.key = contents.key;
  }
  out.uses.push_back(std::move(*circuit));
  out.uses.push_back(std::move(*parameters));
  out.bytes = entry.loaded->circuit_bytes + kParameterBytes;
  ++entry.uses;
  return out;
}

std::optional<ProvingKit> ParameterStore::acquire(const std::string& circuit_id, Priority priority,
                                                  std::stop_token stop) {
  filecoin::parse_circuit_id(circuit_id);
  std::unique_lock lock(mutex_);
  Entry& entry = entries_.at(circuit_id);
  // What has just been loaded may be evicted before it is taken, for a request that waited; then again.
  while (!stop.stop_requested()) {
    if (auto kit = take(entry)) return kit;
    if (entry.loading) {
      changed_.wait(lock, stop, [&] { return !entry.loading; });
    } else {
      load_entry(lock, circuit_id, entry, priority, stop);
    }
  }
  return std::nullopt;
}

void ParameterStore::load_entry(std::unique_lock<std::mutex>& lock, const std::string& circuit_id, Entry& entry,
                                Priority priority, const std::stop_token& stop) {
  entry.loading = true;
  const std::uint64_t known_bytes = entry.known_bytes;
  std::shared_ptr<Loaded> old = std::exchange(entry.loaded, nullptr);
  lock.unlock();
  // What of an earlier loading has not been evicted goes before anything is asked for.
  if (old != nullptr) old->contents->drop();
  old.reset();

  std::shared_ptr<Loaded> loaded;
  std::exception_ptr failure;
  try {
    loaded = load(circuit_id, known_bytes, priority, stop);
  } catch (const Stopped&) {
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  entry.loading = false;
  if (loaded != nullptr) entry.known_bytes = loaded->circuit_bytes;
  entry.loaded = std::move(loaded);
  changed_.notify_all();
  if (failure) std::rethrow_exception(failure);
}

std::optional<Reservation> ParameterStore::reserve(std::uint64_t circuit_bytes, Priority priority,
                                                   const std::stop_token& stop) const {
  return ledger_.reserve({Pool::host(), MemoryClass::kCircuit, circuit_bytes + kParameterBytes, priority}, stop);
}

std::shared_ptr<ParameterStore::Loaded> ParameterStore::load(const std::string& circuit_id, std::uint64_t known_bytes,
                                                             Priority priority, const std::stop_token& stop) const {
  StopProgress progress(stop);
  const fs::path file = parameter_file(circuit_id);
  if (!fs::exists(file)) {
    throw InputError(missing_parameters(circuit_id, filecoin::parse_circuit_id(circuit_id), file));
  }
  if (!options_.published.empty()) {
    require_published(file, options_.published, options_.state_folder, progress);
  }
  progress.check();

  Reservation reservation;
  const auto reserve_or_stop = [&](std::uint64_t circuit_bytes) {
    auto got = reserve(circuit_bytes, priority, stop);
    if (!got) throw Stopped{};
    reservation = std::move(*got);
  };
  if (known_bytes != 0) reserve_or_stop(known_bytes);

  auto out = std::make_shared<Loaded>();
  Contents& contents = *out->contents;
  contents.parameters = std::make_shared<const groth16::MappedParameters>(file);
  contents.key = std::make_shared<const groth16::PreparedVerifyingKey>(contents.parameters->verifying_key());
  progress.check();
  const auto given = options_.circuit_files.find(circuit_id);
  const auto warn = [&](const std::string& message) {
    if (options_.warn) options_.warn(message);
  };
  contents.circuit = std::make_shared<const r1cs::StructuredR1cs>(
      given != options_.circuit_files.end()
          ? circuit_from_file(given->second, *contents.parameters)
          : recorded_circuit(circuit_id, options_.circuit_cache, *contents.parameters, warn, progress));
  out->circuit_bytes = contents.circuit->bytes().total();
  progress.check();

  const std::uint64_t needed = out->circuit_bytes + kParameterBytes;
  if (reservation.bytes() < needed) {
    reservation.release();
    reserve_or_stop(out->circuit_bytes);
  }
  reservation.shrink_to(needed);
  out->parameters = ledger_.cache(reservation.split(kParameterBytes, MemoryClass::kParameters),
                                  [data = out->contents] { data->drop_parameters(); });
  out->circuit = ledger_.cache(std::move(reservation), [data = out->contents] { data->drop_circuit(); });
  return out;
}

bool ParameterStore::preload(const std::string& circuit_id, std::stop_token stop) {
  return acquire(circuit_id, Priority::kLow, std::move(stop)).has_value();
}

void ParameterStore::evict(const std::string& circuit_id) {
  filecoin::parse_circuit_id(circuit_id);
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_.at(circuit_id);
  if (entry.loading) throw InputError(circuit_id + ": is being loaded; it can be evicted when no proof needs it");
  if (entry.loaded == nullptr) return;
  if (entry.loaded->contents->in_use().value_or(false)) {
    throw InputError(circuit_id + ": is in use; it can be evicted when its proofs are done");
  }
  entry.loaded->contents->drop();
  entry.loaded.reset();
}

std::vector<KitInfo> ParameterStore::list() const {
  std::vector<KitInfo> out;
  for (const std::string& id : filecoin::circuit_ids()) {
    KitInfo info{id, KitState::kMissing, parameter_file(id), 0, 0, 0};
    info.parameter_bytes = size_or_zero(info.parameter_file);
    if (info.parameter_bytes != 0) info.state = KitState::kCold;
    const std::lock_guard lock(mutex_);
    const Entry& entry = entries_.at(id);
    info.uses = entry.uses;
    if (entry.loaded != nullptr) {
      if (const auto in_use = entry.loaded->contents->in_use()) {
        info.state = *in_use ? KitState::kHot : KitState::kWarm;
        info.circuit_bytes = entry.loaded->circuit_bytes;
      }
    }
    out.push_back(std::move(info));
  }
  return out;
}

}  // namespace proofline::engine
