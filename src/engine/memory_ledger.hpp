#pragma once
/// One ledger of bytes. Every large allocation of the engine belongs to a reservation, and work is admitted by bytes:
/// the peak is the budget, whatever the numbers of workers and jobs.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace proofline::engine {

/// Where the bytes lie: host memory, pinned host memory, or the memory of one device.
class Pool {
 public:
  static constexpr Pool host() { return Pool(0); }
  static constexpr Pool pinned() { return Pool(1); }
  static constexpr Pool device(unsigned number) { return Pool(2 + number); }
  constexpr std::size_t index() const { return index_; }
  std::string name() const;
  constexpr bool operator==(const Pool&) const = default;

 private:
  explicit constexpr Pool(std::size_t index) : index_(index) {}
  std::size_t index_;
};

/// What the bytes are for.
enum class MemoryClass { kParameters, kCircuit, kWitness, kEvaluation, kMsmScratch, kInput, kOutput };
inline constexpr std::size_t kMemoryClasses = 7;
std::string_view memory_class_name(MemoryClass memory_class);

/// Critical requests go first, then high, normal, low.
enum class Priority { kCritical, kHigh, kNormal, kLow };

/// A request that cannot be met even by an empty pool. The message says what is missing.
class ImpossibleReservation : public Error {
 public:
  using Error::Error;
};

class CachedMemory;
class EventRecorder;
class MemoryLedger;

/// Bytes of one pool and class. Travels with the data that they are for; gives what it still holds back on destruction.
/// Must not outlive its ledger. One thread at a time uses an object; different objects may be used at the same time.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();

  std::uint64_t bytes() const { return bytes_; }
  Pool pool() const { return pool_; }
  MemoryClass memory_class() const { return class_; }

  /// Takes `bytes` out into a reservation of its own, of another class if one is given. Throws InputError when it holds
  /// fewer.
  Reservation split(std::uint64_t bytes, std::optional<MemoryClass> memory_class = std::nullopt);
  /// Gives back all beyond `bytes`: a part of the data has died. Throws InputError when it holds fewer.
  void shrink_to(std::uint64_t bytes);
  /// Joins another of the same ledger, pool and class. Throws InputError for any other.
  void merge(Reservation&& other);
  /// Gives everything back.
  void release();

 private:
  friend class MemoryLedger;
  Reservation(MemoryLedger& ledger, Pool pool, MemoryClass memory_class, std::uint64_t bytes)
      : ledger_(&ledger), pool_(pool), class_(memory_class), bytes_(bytes) {}

  MemoryLedger* ledger_ = nullptr;
  Pool pool_ = Pool::host();
  MemoryClass class_ = MemoryClass::kWitness;
  std::uint64_t bytes_ = 0;
};

/// Something cached, with its bytes. Belongs to whoever caches it; destroying it gives the bytes back.
class CachedMemory {
 public:
  CachedMemory(const CachedMemory&) = delete;
  CachedMemory& operator=(const CachedMemory&) = delete;
  ~CachedMemory();

  /// Keeps the thing from being evicted.
  class Use {
   public:
    Use(Use&& other) noexcept : cached_(std::move(other.cached_)) {}
    Use& operator=(Use&& other) noexcept {
      std::swap(cached_, other.cached_);
      return *this;
    }
    ~Use();

   private:
    friend class CachedMemory;
    explicit Use(std::shared_ptr<CachedMemory> cached) : cached_(std::move(cached)) {}
    std::shared_ptr<CachedMemory> cached_;
  };
  /// Nothing when the thing has been evicted, or is about to be: make it again.
  static std::optional<Use> use(const std::shared_ptr<CachedMemory>& cached);

 private:
  friend class MemoryLedger;
  CachedMemory(MemoryLedger& ledger, Reservation reservation, std::function<void()> evict)
      : ledger_(ledger), reservation_(std::move(reservation)), evict_(std::move(evict)) {}

  // Guarded by the ledger's lock.
  MemoryLedger& ledger_;
  Reservation reservation_;
  std::function<void()> evict_;
  std::size_t users_ = 0;
  std::uint64_t last_use_ = 0;
  bool evicted_ = false;
};

/// A request for bytes.
struct MemoryRequest {
  Pool pool = Pool::host();
  MemoryClass memory_class = MemoryClass::kWitness;
  std::uint64_t bytes = 0;
  Priority priority = Priority::kNormal;
};

class MemoryLedger {
 public:
  /// Bytes of each pool by Pool::index(); pools beyond have none. Every change of what is reserved goes to `recorder`,
  /// if there is one, as the counter "<pool> reserved"; it must outlive the ledger.
  explicit MemoryLedger(std::vector<std::uint64_t> budgets, EventRecorder* recorder = nullptr);
  MemoryLedger(const MemoryLedger&) = delete;
  MemoryLedger& operator=(const MemoryLedger&) = delete;
  /// Precondition: every reservation has been given back.
  ~MemoryLedger();

  /// Waits until the bytes are free and it is this request's turn: by priority, then by age. Nobody overtakes an
  /// earlier request of the same or a higher priority, so that large ones are not starved by small ones. Idle cached
  /// things are evicted where that helps. Ask at once for all that a step needs: a step that holds bytes and waits for
  /// more can wait for another that does the same. Returns nothing when `stop` is requested first. Throws
  /// ImpossibleReservation at once when the pool's whole budget is too small.
  std::optional<Reservation> reserve(const MemoryRequest& request, std::stop_token stop = {});
  /// The same without waiting: nothing when it would have to.
  std::optional<Reservation> try_reserve(const MemoryRequest& request);

  /// Throws ImpossibleReservation when the pool's whole budget is too small: for whoever asks for a part of what it
  /// must have in all.
  void require_possible(const MemoryRequest& request) const;

  /// Makes the reservation of something idle and kept for later use: under pressure such things are evicted, those used
  /// longest ago first. `evict` frees the data; the bytes are given back when it has returned. It is called on the
  /// thread of a request, without a lock held, at most once, and never while the thing is in use. Must not throw.
  std::shared_ptr<CachedMemory> cache(Reservation reservation, std::function<void()> evict);

  struct PoolState {
    std::uint64_t budget = 0, reserved = 0, peak = 0;
    std::array<std::uint64_t, kMemoryClasses> by_class{};
    std::size_t waiting = 0;  ///< requests
    std::uint64_t evictable = 0;
  };
  PoolState state(Pool pool) const;

 private:
  friend class Reservation;
  friend class CachedMemory;
  struct State;
  struct Waiter;
  std::function<void()> take_least_recently_used(Pool pool, Reservation& out);
  bool evict_one(Pool pool, std::unique_lock<std::mutex>& lock);
  bool has_evictable(Pool pool) const;
  static bool is_evictable(const CachedMemory& cached, Pool pool);
  Reservation take(const MemoryRequest& request);
  void record(Pool pool) const noexcept;
  void give_back(Pool pool, MemoryClass memory_class, std::uint64_t bytes) noexcept;
  void change_class(Pool pool, MemoryClass from, MemoryClass to, std::uint64_t bytes);

  std::unique_ptr<State> state_;
};

}  // namespace proofline::engine
