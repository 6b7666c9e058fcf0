#pragma once
/// The memory of what is being received.
#include <cstdint>

#include "service/config.hpp"

namespace proofline::service {

/// How requests are received within the memory budget. gRPC takes whole messages into memory before it looks at their
/// size, so that daemon.max_message_size alone bounds nothing.
struct ReceiveMemory {
  std::uint64_t total = 0;    ///< bytes of the budget that are kept for receiving
  std::uint64_t quota = 0;    ///< bytes that gRPC may hold; beyond it ends calls with RESOURCE_EXHAUSTED
  std::uint64_t message = 0;  ///< bytes of a message at most
  unsigned uploads = 0;       ///< messages that are read at a time
};

/// Four times what daemon.max_uploads messages of daemon.max_message_size take: once as gRPC receives them, once
/// parsed, and as much again for other calls and for what the allocator keeps. At most an eighth of the budget, but 32
/// MiB at least: where that is too little there are fewer uploads at a time, then smaller messages.
ReceiveMemory receive_memory(const DaemonConfig& daemon, std::uint64_t process_budget);

}  // namespace proofline::service
