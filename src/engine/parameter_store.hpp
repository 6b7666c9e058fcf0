#pragma once
/// Proving kits from parameter files and recorded circuits on disk.
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/parameter_files.hpp"
#include "engine/proving_kit.hpp"

namespace proofline::engine {

struct ParameterStoreOptions {
  /// Holds files by the reference's names (filecoin/parameter_name.hpp).
  std::filesystem::path parameter_folder = parameter_cache_directory();
  /// By circuit id, where a file is not in the folder: parameters, and circuits of `circuit save`.
  std::map<std::string, std::filesystem::path> parameter_files, circuit_files;
  /// Recorded circuits are kept here for the next start; empty: nowhere.
  std::filesystem::path circuit_cache = circuit_cache_directory();
  /// A published list: parameters are used only when their digest is listed there (minutes at 32 GiB). Empty, as by
  /// default in the reference (FIL_PROOFS_VERIFY_PRODUCTION_PARAMS): digests are not looked at.
  std::filesystem::path published;
  /// Where files whose digest was right are remembered across starts; empty: nowhere.
  std::filesystem::path state_folder;
  /// Told of what went wrong and was worked around. Called from loading threads.
  std::function<void(const std::string&)> warn;
};

/// missing: no parameter file. cold: not in memory. warm: in memory, idle. hot: in memory and in use.
enum class KitState { kMissing, kCold, kWarm, kHot };
std::string_view kit_state_name(KitState state);

struct KitInfo {
  std::string circuit_id;
  KitState state{};
  std::filesystem::path parameter_file;  ///< where it is, or is expected
  std::uint64_t parameter_bytes = 0;     ///< of the file
  std::uint64_t circuit_bytes = 0;       ///< in memory; 0 unless warm or hot
  std::uint64_t uses = 0;                ///< kits given out so far
};

/// Memory: a circuit's bytes are reserved in the ledger (class circuit) as long as it is in memory; idle ones are
/// evicted when others need the memory, longest unused first. Parameters are mapped files, whose pages the prover drops
/// after use, so that they have a small fixed reservation (class parameters) for the key and pages in passing.
/// Both are asked for in one request, and nothing is held while waiting for it. A circuit's size is known for certain
/// only once it has been in memory: the first load reserves when the circuit is made, and until then, and while it
/// waits for the ledger, its bytes are not counted. Later loads reserve first; where the circuit turns out larger (read
/// from a file it takes a little more or less than recorded), what is held is given back and all of it asked for anew.
class ParameterStore final : public KitSource {
 public:
  /// Reserved for the parameters of one circuit: the key, and the pages that a reader has not yet let go.
  static constexpr std::uint64_t kParameterBytes = std::uint64_t{20} << 20;

  /// The ledger must outlive the store and all its kits. Throws InputError when the options name an unknown circuit.
  ParameterStore(MemoryLedger& ledger, ParameterStoreOptions options);
  ~ParameterStore() override;

  /// As KitSource says; `stop` is honoured while hashing, while recording and between steps. A thread that waits for
  /// another's loading takes over when that one fails or is stopped. The waiting in the ledger is by the priority of
  /// the thread that loads. Throws ImpossibleReservation when the circuit is larger than the budget.
  std::optional<ProvingKit> acquire(const std::string& circuit_id, Priority priority, std::stop_token stop) override;

  /// Loads without using. False when `stop` was requested first. Throws as acquire.
  bool preload(const std::string& circuit_id, std::stop_token stop = {});

  /// Frees what an idle circuit holds; nothing happens when it is not in memory. Throws InputError when it is in use
  /// or being loaded, or the id is not known.
  void evict(const std::string& circuit_id);

  /// All circuits, in the order of circuit_ids().
  std::vector<KitInfo> list() const;

 private:
  struct Contents;
  struct Loaded;
  struct Entry {
    bool loading = false;
    std::shared_ptr<Loaded> loaded;
    std::uint64_t known_bytes = 0;  ///< of the circuit, from the last time that it was loaded
    std::uint64_t uses = 0;
  };

  std::filesystem::path parameter_file(const std::string& circuit_id) const;
  std::optional<ProvingKit> take(Entry& entry);
  /// Unlocks while it loads.
  void load_entry(std::unique_lock<std::mutex>& lock, const std::string& circuit_id, Entry& entry, Priority priority,
                  const std::stop_token& stop);
  std::shared_ptr<Loaded> load(const std::string& circuit_id, std::uint64_t known_bytes, Priority priority,
                               const std::stop_token& stop) const;
  std::optional<Reservation> reserve(std::uint64_t circuit_bytes, Priority priority, const std::stop_token& stop) const;

  MemoryLedger& ledger_;
  const ParameterStoreOptions options_;
  mutable std::mutex mutex_;  // before the ledger's own; never held while the ledger may evict
  std::condition_variable_any changed_;
  std::map<std::string, Entry> entries_;
};

}  // namespace proofline::engine
