#pragma once
/// The ledger's pools, for whoever looks on.
#include <string>
#include <vector>

#include "service/engine_host.hpp"

namespace proofline::service {

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
