#pragma once
/// Sorting and scanning for the MSM (CUB). Plain C++.
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"

namespace proofline::cuda {

/// Two arrays; `current` (0 or 1) says which holds the data.
struct Pairs {
  std::span<std::uint32_t> keys[2], values[2];
  int current = 0;
};

/// Bytes of scratch that sort_pairs() and exclusive_sum() need for n items.
std::size_t sort_scratch_bytes(std::size_t n);
/// Sorts the first n by the low `bits` bits of the keys. Enqueued on the stream.
void sort_pairs(Pairs& pairs, std::size_t n, unsigned bits, std::span<std::byte> scratch, Stream stream);
/// In place; sums are modulo 2^32. Enqueued on the stream.
void exclusive_sum(std::span<std::uint32_t> values, std::span<std::byte> scratch, Stream stream);

}  // namespace proofline::cuda
