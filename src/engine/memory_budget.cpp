#include "engine/memory_budget.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "base/resident_memory.hpp"
#include "base/units.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The number that a text begins with; nothing for "max".
std::optional<std::uint64_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in(const fs::path& path) {
  const std::optional<std::string> text = read_text(path);
  return text ? leading_number(*text) : std::nullopt;
}

std::uint64_t mem_available(const fs::path& path) {
  const std::optional<std::string> text = read_text(path);
  if (!text) throw IoError(path.string() + ": cannot read it to find out how much memory there is");
  constexpr std::string_view kKey = "MemAvailable:";
  const std::size_t at = text->find(kKey);
  const auto kib =
      at == std::string::npos ? std::nullopt : leading_number(std::string_view(*text).substr(at + kKey.size()));
  if (!kib) throw InputError(path.string() + ": expected a line \"MemAvailable: ... kB\"");
  return *kib * 1024;
}

/// Takes the lower of the limits of a control group and of all above it. A limit beyond `unlimited` is none: version 1
/// says so with a very large number.
void apply_group(const fs::path& hierarchy, fs::path group, const char* limit_name, const char* used_name,
                 HostMemory& out) {
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;
  for (;; group = group.parent_path()) {
    const fs::path folder = hierarchy / group.relative_path();
    const auto limit = number_in(folder / limit_name);
    if (limit && *limit < kUnlimited && (!out.cgroup_limit || *limit < *out.cgroup_limit)) {
      out.cgroup_limit = *limit;
      out.cgroup_used = number_in(folder / used_name).value_or(0);
    }
    if (!group.has_relative_path()) return;
  }
}

void apply_groups(const fs::path& root, HostMemory& out) {
  std::ifstream groups(root / "proc/self/cgroup");
  // hierarchy number : controllers : path
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      apply_group(root / "sys/fs/cgroup", group, "memory.max", "memory.current", out);
    } else if (controllers.find(",memory,") != std::string::npos) {
      apply_group(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes", out);
    }
  }
}

}  // namespace

HostMemory read_host_memory(const fs::path& root) {
  HostMemory out;
  out.available = mem_available(root / "proc/meminfo");
  apply_groups(root, out);
  return out;
}

std::uint64_t default_host_budget(const HostMemory& memory) {
  std::uint64_t free = memory.available;
  if (memory.cgroup_limit)
    free = std::min(free, *memory.cgroup_limit - std::min(*memory.cgroup_limit, memory.cgroup_used));
  const std::uint64_t margin = std::max(free / 20, std::uint64_t{512} << 20);
  return free - std::min(free, margin);
}

std::uint64_t ledger_budget(std::uint64_t process_budget, std::uint64_t kept_for_requests) {
  constexpr std::uint64_t kBeside = std::uint64_t{16} << 20;
  const std::uint64_t own = resident_memory().total + kBeside;
  if (process_budget > own + kept_for_requests) return process_budget - own - kept_for_requests;
  std::string parts = "the program itself takes " + format_bytes(own);
  if (kept_for_requests > 0) parts += ", and " + format_bytes(kept_for_requests) + " are kept for receiving requests";
  throw InputError("memory: " + format_bytes(process_budget) + " is too little: " + parts);
}

}  // namespace proofline::engine
