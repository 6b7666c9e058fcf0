#pragma once
/// Sizes and times as people read and write them.
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace proofline {

/// "2048", "2KiB", "1.5 GiB" (units B, KiB, MiB, GiB, TiB in any case, spaces allowed before them) as a number of
/// bytes. Throws InputError starting with `what` (the name of the flag) for anything else, for sizes that are no whole
/// number of bytes and for 2^64 and above.
std::uint64_t parse_bytes(std::string_view text, std::string_view what);

/// Three significant digits, or all of a whole number: "512 B", "2 KiB", "1.53 GiB".
std::string format_bytes(std::uint64_t bytes);

inline double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// "0.42 ms", "3.14 s", "2 min 05 s", "1 h 02 min".
std::string format_seconds(double seconds);

/// Thousands set apart: "130,278,541".
std::string format_count(std::uint64_t count);

}  // namespace proofline
