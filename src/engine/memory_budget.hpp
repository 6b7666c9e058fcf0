#pragma once
/// How much host memory the engine may take.
#include <cstdint>
#include <filesystem>
#include <optional>

namespace proofline::engine {

/// What the system says of its memory, in bytes.
struct HostMemory {
  std::uint64_t available = 0;                ///< MemAvailable
  std::optional<std::uint64_t> cgroup_limit;  ///< the lowest limit of this process's control group and those above
  std::uint64_t cgroup_used = 0;              ///< of the group with that limit
};

/// Reads proc/meminfo, and control groups of version 2 or 1, below `root` ("/" but in tests). Throws IoError when there
/// is no proc/meminfo, InputError when it lacks MemAvailable.
HostMemory read_host_memory(const std::filesystem::path& root = "/");

/// What is free by the tighter of both, less a margin of 5 % but at least 512 MiB, for what no ledger counts. 0 when
/// nothing is left.
std::uint64_t default_host_budget(const HostMemory& memory);

/// What of a budget for the whole process a ledger may give out: without what the program has now (its code and
/// libraries, requests at hand) and what it will take beside the ledger's memory: threads' stacks and what the
/// allocator keeps, and without what is kept for receiving requests. Throws InputError naming both when that leaves
/// nothing.
std::uint64_t ledger_budget(std::uint64_t process_budget, std::uint64_t kept_for_requests = 0);

}  // namespace proofline::engine
