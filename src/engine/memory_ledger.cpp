#include "engine/memory_ledger.hpp"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <list>

#include "base/units.hpp"
#include "engine/event_recorder.hpp"

namespace proofline::engine {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

}  // namespace

struct MemoryLedger::Waiter {
  Priority priority;
  std::condition_variable_any turn;
};

struct MemoryLedger::State {
  struct PoolData {
    PoolState numbers;
    std::list<Waiter*> queue;  ///< by priority, then age
    std::uint64_t free() const { return numbers.budget - numbers.reserved; }
    void wake_first() {
      if (!queue.empty()) queue.front()->turn.notify_all();
    }
  };

  mutable std::mutex mutex;
  std::vector<PoolData> pools;
  std::vector<CachedMemory*> cached;  ///< each leaves before it is destroyed
  std::uint64_t clock = 0;            ///< counts uses of cached things
  EventRecorder* recorder = nullptr;
};

std::string Pool::name() const {
  if (index_ == 0) return "host";
  return index_ == 1 ? "pinned" : "device " + std::to_string(index_ - 2);
}

std::string_view memory_class_name(MemoryClass memory_class) {
  constexpr std::array<std::string_view, kMemoryClasses> kNames = {"parameters",  "circuit", "witness", "evaluation",
                                                                   "msm scratch", "input",   "output"};
  return kNames[static_cast<std::size_t>(memory_class)];
}

Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)),
      pool_(other.pool_),
      class_(other.class_),
      bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  ledger_ = std::exchange(other.ledger_, nullptr);
  pool_ = other.pool_;
  class_ = other.class_;
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

Reservation::~Reservation() {
  release();
}

void Reservation::release() {
  if (ledger_ != nullptr && bytes_ > 0) ledger_->give_back(pool_, class_, bytes_);
  bytes_ = 0;
}

void Reservation::shrink_to(std::uint64_t bytes) {
  if (bytes > bytes_) {
    throw InputError("memory reservation: cannot shrink " + format_bytes(bytes_) + " to " + format_bytes(bytes));
  }
  if (bytes == bytes_) return;
  ledger_->give_back(pool_, class_, bytes_ - bytes);
  bytes_ = bytes;
}

Reservation Reservation::split(std::uint64_t bytes, std::optional<MemoryClass> memory_class) {
  if (bytes > bytes_) {
    throw InputError("memory reservation: cannot split " + format_bytes(bytes) + " from " + format_bytes(bytes_));
  }
  if (bytes == 0 || ledger_ == nullptr) return {};
  const MemoryClass target = memory_class.value_or(class_);
  if (target != class_) ledger_->change_class(pool_, class_, target, bytes);
  bytes_ -= bytes;
  return Reservation(*ledger_, pool_, target, bytes);
}

void Reservation::merge(Reservation&& other) {
  if (other.bytes_ == 0) return;
  if (bytes_ == 0 && ledger_ == nullptr) {
    *this = std::move(other);
    return;
  }
  if (ledger_ != other.ledger_ || !(pool_ == other.pool_) || class_ != other.class_) {
    throw InputError("memory reservation: only bytes of the same pool and class can be joined");
  }
  bytes_ += std::exchange(other.bytes_, 0);
}

CachedMemory::~CachedMemory() {
  const std::lock_guard lock(ledger_.state_->mutex);
  std::erase(ledger_.state_->cached, this);
}

CachedMemory::Use::~Use() {
  if (cached_ == nullptr) return;
  MemoryLedger& ledger = cached_->ledger_;
  const std::lock_guard lock(ledger.state_->mutex);
  --cached_->users_;
  cached_->last_use_ = ++ledger.state_->clock;
  // What has become idle may be evicted for whoever waits.
  for (auto& pool : ledger.state_->pools) pool.wake_first();
}

std::optional<CachedMemory::Use> CachedMemory::use(const std::shared_ptr<CachedMemory>& cached) {
  const std::lock_guard lock(cached->ledger_.state_->mutex);
  if (cached->evicted_) return std::nullopt;
  ++cached->users_;
  return Use(cached);
}

MemoryLedger::MemoryLedger(std::vector<std::uint64_t> budgets, EventRecorder* recorder)
    : state_(std::make_unique<State>()) {
  state_->recorder = recorder;
  state_->pools.resize(budgets.size());
  for (std::size_t i = 0; i < budgets.size(); ++i) state_->pools[i].numbers.budget = budgets[i];
}

MemoryLedger::~MemoryLedger() {
  for ([[maybe_unused]] const State::PoolData& pool : state_->pools) assert(pool.numbers.reserved == 0);
}

MemoryLedger::PoolState MemoryLedger::state(Pool pool) const {
  const std::lock_guard lock(state_->mutex);
  if (pool.index() >= state_->pools.size()) return {};
  const State::PoolData& data = state_->pools[pool.index()];
  PoolState out = data.numbers;
  out.waiting = data.queue.size();
  for (const CachedMemory* cached : state_->cached)
    if (is_evictable(*cached, pool)) out.evictable += cached->reservation_.bytes();
  return out;
}

void MemoryLedger::record(Pool pool) const noexcept {
  if (state_->recorder == nullptr) return;
  try {
    state_->recorder->counter(pool.name() + " reserved", state_->pools[pool.index()].numbers.reserved);
  } catch (...) {
    // Without memory for an event, the event is lost, not the reservation.
  }
}

void MemoryLedger::require_possible(const MemoryRequest& request) const {
  const std::uint64_t budget =
      request.pool.index() < state_->pools.size() ? state_->pools[request.pool.index()].numbers.budget : 0;
  if (request.bytes <= budget) return;
  // By how much, not to what: a process's budget is larger than its ledger's. Whole MiB, so that nothing is cut off.
  const std::uint64_t missing = (request.bytes - budget + kMiB - 1) / kMiB;
  throw ImpossibleReservation("memory budget of pool " + request.pool.name() + " is " + format_bytes(budget) + ", " +
                              std::string(memory_class_name(request.memory_class)) + " needs " +
                              format_bytes(request.bytes) + " at once: raise the budget by at least " +
                              std::to_string(missing) + " MiB");
}

Reservation MemoryLedger::take(const MemoryRequest& request) {
  PoolState& numbers = state_->pools[request.pool.index()].numbers;
  numbers.reserved += request.bytes;
  numbers.by_class[static_cast<std::size_t>(request.memory_class)] += request.bytes;
  numbers.peak = std::max(numbers.peak, numbers.reserved);
  record(request.pool);
  return Reservation(*this, request.pool, request.memory_class, request.bytes);
}

std::function<void()> MemoryLedger::take_least_recently_used(Pool pool, Reservation& out) {
  CachedMemory* oldest = nullptr;
  for (CachedMemory* cached : state_->cached) {
    if (!is_evictable(*cached, pool)) continue;
    if (oldest == nullptr || cached->last_use_ < oldest->last_use_) oldest = cached;
  }
  if (oldest == nullptr) return {};
  oldest->evicted_ = true;
  out = std::move(oldest->reservation_);
  return std::move(oldest->evict_);
}

bool MemoryLedger::evict_one(Pool pool, std::unique_lock<std::mutex>& lock) {
  Reservation freed;
  const std::function<void()> evict = take_least_recently_used(pool, freed);
  if (!evict) return false;
  lock.unlock();
  evict();
  freed.release();
  lock.lock();
  return true;
}

std::optional<Reservation> MemoryLedger::reserve(const MemoryRequest& request, std::stop_token stop) {
  require_possible(request);
  if (request.bytes == 0) return Reservation(*this, request.pool, request.memory_class, 0);
  std::unique_lock lock(state_->mutex);
  State::PoolData& pool = state_->pools[request.pool.index()];
  Waiter waiter{request.priority, {}};
  const auto place = pool.queue.insert(
      std::ranges::find_if(pool.queue, [&](const Waiter* other) { return other->priority > request.priority; }),
      &waiter);
  const auto leave = [&] {
    pool.queue.erase(place);
    pool.wake_first();
  };
  while (!stop.stop_requested()) {
    const bool first = pool.queue.front() == &waiter;
    if (first && pool.free() >= request.bytes) {
      Reservation out = take(request);
      leave();
      return out;
    }
    if (first && evict_one(request.pool, lock)) continue;
    // Any change that matters to the first in the queue wakes it; a stop wakes whoever it is meant for.
    waiter.turn.wait(lock, stop, [&] {
      return pool.queue.front() == &waiter && (pool.free() >= request.bytes || has_evictable(request.pool));
    });
  }
  leave();
  return std::nullopt;
}

std::optional<Reservation> MemoryLedger::try_reserve(const MemoryRequest& request) {
  require_possible(request);
  std::unique_lock lock(state_->mutex);
  State::PoolData& pool = state_->pools[request.pool.index()];
  for (;;) {
    if (!pool.queue.empty() && pool.queue.front()->priority <= request.priority) return std::nullopt;
    if (pool.free() >= request.bytes) return take(request);
    if (!evict_one(request.pool, lock)) return std::nullopt;
  }
}

bool MemoryLedger::is_evictable(const CachedMemory& cached, Pool pool) {
  return !cached.evicted_ && cached.users_ == 0 && cached.reservation_.pool() == pool;
}

bool MemoryLedger::has_evictable(Pool pool) const {
  return std::ranges::any_of(state_->cached, [&](const CachedMemory* cached) { return is_evictable(*cached, pool); });
}

std::shared_ptr<CachedMemory> MemoryLedger::cache(Reservation reservation, std::function<void()> evict) {
  if (!evict) throw InputError("memory ledger: a cached thing needs a way to evict it");
  if (reservation.ledger_ != this) throw InputError("memory ledger: the cached thing's bytes are not of this ledger");
  const std::shared_ptr<CachedMemory> out(new CachedMemory(*this, std::move(reservation), std::move(evict)));
  const std::lock_guard lock(state_->mutex);
  out->last_use_ = ++state_->clock;
  state_->cached.push_back(out.get());
  for (State::PoolData& pool : state_->pools) pool.wake_first();
  return out;
}

void MemoryLedger::give_back(Pool pool, MemoryClass memory_class, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(state_->mutex);
  State::PoolData& data = state_->pools[pool.index()];
  data.numbers.reserved -= bytes;
  data.numbers.by_class[static_cast<std::size_t>(memory_class)] -= bytes;
  record(pool);
  data.wake_first();
}

void MemoryLedger::change_class(Pool pool, MemoryClass from, MemoryClass to, std::uint64_t bytes) {
  const std::lock_guard lock(state_->mutex);
  auto& by_class = state_->pools[pool.index()].numbers.by_class;
  by_class[static_cast<std::size_t>(from)] -= bytes;
  by_class[static_cast<std::size_t>(to)] += bytes;
}

}  // namespace proofline::engine
