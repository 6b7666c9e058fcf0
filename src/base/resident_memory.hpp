#pragma once
/// How much memory the process has, as the system counts it.
#include <cstdint>

namespace proofline {

/// What of a process's pages lies in memory, in bytes. All 0 where /proc does not tell.
struct ResidentMemory {
  std::uint64_t total = 0;
  std::uint64_t file = 0;  ///< of it pages of mapped files, which the system can take back at any time
};
ResidentMemory resident_memory();

/// The process's highest resident memory in bytes since its start or the last reset; 0 where /proc does not tell.
std::uint64_t peak_resident_bytes();
/// Starts the high-water mark anew from what is resident now. False where the kernel does not allow it.
bool reset_peak_resident();

}  // namespace proofline
