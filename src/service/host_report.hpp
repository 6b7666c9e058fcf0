#pragma once
/// What the reports of a host have in common: GetStatus, /status and the metrics.
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "service/engine_host.hpp"

namespace proofline::service {

/// How many there are of a kind; kinds without any are not in such a map.
inline std::size_t count_of(const std::map<filecoin::CircuitKind, std::size_t>& counts, filecoin::CircuitKind kind) {
  const auto found = counts.find(kind);
  return found == counts.end() ? 0 : found->second;
}

inline double uptime_seconds(const EngineHost& host) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - host.started()).count();
}

struct PoolReport {
  std::string name;  ///< "host", "pinned", "device 0"
  engine::MemoryLedger::PoolState state;
};

/// The host's pool, and the others that have a budget.
inline std::vector<PoolReport> memory_pools(const EngineHost& host, std::size_t devices) {
  using engine::Pool;
  std::vector<Pool> pools = {Pool::host(), Pool::pinned()};
  for (unsigned i = 0; i < devices; ++i) pools.push_back(Pool::device(i));
  std::vector<PoolReport> out;
  for (const Pool pool : pools) {
    const engine::MemoryLedger::PoolState state = host.ledger().state(pool);
    if (pool == Pool::host() || state.budget > 0) out.push_back({pool.name(), state});
  }
  return out;
}

}  // namespace proofline::service
