#pragma once
/// Packed bits in device memory: 32 to a word, the first in a word's lowest place.
#include <cstdint>

namespace proofline::cuda {

__device__ __forceinline__ std::uint32_t bit_at(const std::uint32_t* words, std::uint32_t place) {
  return words[place / 32] >> place % 32 & 1;
}

/// 32 bits from a place on; reads the word after, too.
__device__ __forceinline__ std::uint32_t bits_from(const std::uint32_t* words, std::uint64_t place) {
  const std::uint64_t word = place / 32;
  return __funnelshift_r(words[word], words[word + 1], static_cast<std::uint32_t>(place % 32));
}

/// Ors the lowest `count` bits (all when 32 or more) in at a place; other threads may do so at the same word.
__device__ __forceinline__ void or_bits(std::uint32_t* words, std::uint64_t place, std::uint32_t bits,
                                        std::uint32_t count) {
  if (count < 32) bits &= (1U << count) - 1;
  const std::uint32_t shift = place % 32;
  if (bits << shift != 0) atomicOr(&words[place / 32], bits << shift);
  if (shift != 0 && bits >> (32 - shift) != 0) atomicOr(&words[place / 32 + 1], bits >> (32 - shift));
}

/// The bits of `value` where `mask` is one, moved together.
__device__ __forceinline__ std::uint32_t packed(std::uint32_t value, std::uint32_t mask) {
  std::uint32_t out = 0;
  for (std::uint32_t place = 0; mask != 0;) {
    const std::uint32_t rest = mask & (mask + (mask & (0U - mask)));  // without the lowest run of ones
    const std::uint32_t run = mask ^ rest;
    out |= (value & run) >> (__ffs(static_cast<int>(run)) - 1) << place;
    place += static_cast<std::uint32_t>(__popc(run));
    mask = rest;
  }
  return out;
}

}  // namespace proofline::cuda
