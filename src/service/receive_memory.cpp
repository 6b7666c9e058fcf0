#include "service/receive_memory.hpp"

#include <algorithm>

namespace proofline::service {

ReceiveMemory receive_memory(const DaemonConfig& daemon, std::uint64_t process_budget) {
  constexpr std::uint64_t kShares = 4, kPartOfBudget = 8, kLeast = std::uint64_t{32} << 20;
  const std::uint64_t most = std::max(process_budget / kPartOfBudget, kLeast);
  ReceiveMemory out;
  out.message = std::min(daemon.max_message_size, most / kShares);
  const std::uint64_t uploads = std::clamp<std::uint64_t>(most / kShares / out.message, 1, daemon.max_uploads);
  out.uploads = static_cast<unsigned>(uploads);
  out.total = std::max(kShares * uploads * out.message, kLeast);
  out.quota = out.total / 2;
  return out;
}

}  // namespace proofline::service
