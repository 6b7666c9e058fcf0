#pragma once
/// Whether a sanitizer is in this build, and what it costs. Tests whose limits are of time or of the process's memory
/// allow for it here; other builds keep the tight limit. The timeouts of whole programs: cmake/proofline.cmake.
#include <cstdint>

namespace proofline::test {

#ifdef __has_feature  // clang; GCC defines macros instead
#define PROOFLINE_HAS_FEATURE(name) __has_feature(name)
#else
#define PROOFLINE_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || PROOFLINE_HAS_FEATURE(address_sanitizer)
inline constexpr bool kHasAddressSanitizer = true;
#else
inline constexpr bool kHasAddressSanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__) || PROOFLINE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kHasThreadSanitizer = true;
#else
inline constexpr bool kHasThreadSanitizer = false;
#endif
#undef PROOFLINE_HAS_FEATURE

inline constexpr bool kIsInstrumented = kHasAddressSanitizer || kHasThreadSanitizer;

/// A time limit, longer by as much as the sanitizers slow code down.
template <class Duration>
constexpr Duration patience(Duration limit) {
  return kIsInstrumented ? 5 * limit : limit;
}

/// A limit of the process's resident memory in bytes, with room for what a sanitizer has beside the program:
/// AddressSanitizer its shadow and up to 256 MiB of memory that has been freed.
constexpr std::uint64_t with_sanitizer_memory(std::uint64_t limit) {
  return kIsInstrumented ? limit + (std::uint64_t{768} << 20) : limit;
}

}  // namespace proofline::test
