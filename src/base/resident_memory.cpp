#include "base/resident_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

namespace proofline {

ResidentMemory resident_memory() {
  // proc(5): size, resident and shared, in pages.
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0, resident = 0, shared = 0;
  if (!(statm >> size >> resident >> shared)) return {};
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {resident * page, shared * page};
}

std::uint64_t peak_resident_bytes() {
  constexpr std::string_view kKey = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kKey)) return std::stoull(line.substr(kKey.size())) * 1024;
  }
  return 0;
}

bool reset_peak_resident() {
  // proc(5): writing 5 resets the peak resident set size to the current one.
  std::ofstream clear("/proc/self/clear_refs");
  clear << '5' << std::flush;
  return clear.good();
}

}  // namespace proofline
