#include "service/receive_memory.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/units.hpp"

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
  if (out.total < process_budget) {
    out.rest = process_budget - out.total;
    return out;
  }
  throw InputError("memory.total_budget: " + format_bytes(process_budget) +
                   " is too little: " + format_bytes(out.total) + " are kept for receiving requests");
}

}  // namespace proofline::service
