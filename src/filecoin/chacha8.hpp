#pragma once
/// ChaCha with 8 rounds as a generator of seeded numbers: key = seed, 64-bit block counter from 0,
/// nonce 0; the key stream read as little-endian words. Source: Bernstein 2008, "ChaCha, a variant of
/// Salsa20".
#include <array>
#include <bit>
#include <cstdint>

namespace proofline::filecoin {

/// One 64-byte block of key stream as 16 words.
inline std::array<std::uint32_t, 16> chacha8_block(const std::array<std::uint8_t, 32>& key, std::uint64_t counter) {
  std::array<std::uint32_t, 16> start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < key.size(); ++i) start[4 + i / 4] |= std::uint32_t{key[i]} << (8 * (i % 4));
  start[12] = static_cast<std::uint32_t>(counter);
  start[13] = static_cast<std::uint32_t>(counter >> 32);

  std::array<std::uint32_t, 16> s = start;
  const auto quarter = [&s](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    s[a] += s[b];
    s[d] = std::rotl(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = std::rotl(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = std::rotl(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = std::rotl(s[b] ^ s[c], 7);
  };
  for (int double_round = 0; double_round < 4; ++double_round) {
    quarter(0, 4, 8, 12);
    quarter(1, 5, 9, 13);
    quarter(2, 6, 10, 14);
    quarter(3, 7, 11, 15);
    quarter(0, 5, 10, 15);
    quarter(1, 6, 11, 12);
    quarter(2, 7, 8, 13);
    quarter(3, 4, 9, 14);
  }
  for (std::size_t i = 0; i < s.size(); ++i) s[i] += start[i];
  return s;
}

/// The first `kCount` 64-bit words of the key stream.
template <std::size_t kCount>
std::array<std::uint64_t, kCount> chacha8_words(const std::array<std::uint8_t, 32>& key) {
  std::array<std::uint64_t, kCount> out;
  std::array<std::uint32_t, 16> block{};
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i % 8 == 0) block = chacha8_block(key, i / 8);
    out[i] = std::uint64_t{block[2 * (i % 8) + 1]} << 32 | block[2 * (i % 8)];
  }
  return out;
}

}  // namespace proofline::filecoin
