#include "filecoin/feistel_lanes.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "filecoin/blake2b_tables.hpp"

namespace proofline::filecoin {
namespace {

// One 64-bit word of eight hashes. Lowered to whatever vectors the instruction set has. Everything below is
// inlined into the functions at the end, so that each is compiled for its own set.
using Lanes = std::uint64_t __attribute__((vector_size(8 * kFeistelLanes)));
#define PROOFLINE_INLINE [[gnu::always_inline]] inline

template <int kBits>
PROOFLINE_INLINE void rotate_right(Lanes& x) {
  x = x >> kBits | x << (64 - kBits);
}

PROOFLINE_INLINE void byte_swap(Lanes& x) {
  x = (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
  x = (x & 0x0000ffff0000ffff) << 16 | (x >> 16 & 0x0000ffff0000ffff);
  x = x << 32 | x >> 32;
}

// Word kIndex of the message block: two words of data, then zeros.
template <std::size_t kIndex>
PROOFLINE_INLINE void add_word(Lanes& to, const Lanes& word0, std::uint64_t word1) {
  if constexpr (kIndex == 0) to += word0;
  if constexpr (kIndex == 1) to += word1;
}

template <std::size_t kFirst, std::size_t kSecond>
PROOFLINE_INLINE void mix(Lanes& a, Lanes& b, Lanes& c, Lanes& d, const Lanes& word0, std::uint64_t word1) {
  a += b;
  add_word<kFirst>(a, word0, word1);
  d ^= a;
  rotate_right<32>(d);
  c += d;
  b ^= c;
  rotate_right<24>(b);
  a += b;
  add_word<kSecond>(a, word0, word1);
  d ^= a;
  rotate_right<16>(d);
  c += d;
  b ^= c;
  rotate_right<63>(b);
}

template <std::size_t kRound>
PROOFLINE_INLINE void round(Lanes (&v)[16], const Lanes& word0, std::uint64_t word1) {
  constexpr const std::uint8_t(&s)[16] = kBlake2bSigma[kRound % 10];
  mix<s[0], s[1]>(v[0], v[4], v[8], v[12], word0, word1);
  mix<s[2], s[3]>(v[1], v[5], v[9], v[13], word0, word1);
  mix<s[4], s[5]>(v[2], v[6], v[10], v[14], word0, word1);
  mix<s[6], s[7]>(v[3], v[7], v[11], v[15], word0, word1);
  mix<s[8], s[9]>(v[0], v[5], v[10], v[15], word0, word1);
  mix<s[10], s[11]>(v[1], v[6], v[11], v[12], word0, word1);
  mix<s[12], s[13]>(v[2], v[7], v[8], v[13], word0, word1);
  mix<s[14], s[15]>(v[3], v[4], v[9], v[14], word0, word1);
}

template <std::size_t... kRound>
PROOFLINE_INLINE void rounds(Lanes (&v)[16], const Lanes& word0, std::uint64_t word1, std::index_sequence<kRound...>) {
  (round<kRound>(v, word0, word1), ...);
}

PROOFLINE_INLINE void network_body(const FeistelNetwork& network, std::uint64_t* values) {
  Lanes value;
  std::memcpy(&value, values, sizeof(value));
  Lanes left = value >> network.half_bits;
  Lanes right = value & network.mask;
  for (const std::uint64_t key : network.keys) {
    Lanes word0 = right;
    byte_swap(word0);
    Lanes v[16];
    for (std::size_t i = 0; i < 16; ++i) v[i] = Lanes{} + kBlake2bFeistelStart[i];
    rounds(v, word0, __builtin_bswap64(key), std::make_index_sequence<kBlake2bRounds>{});
    Lanes hash = v[0] ^ v[8] ^ kBlake2bFeistelStart[0];
    byte_swap(hash);
    const Lanes next = left ^ (hash & network.mask);
    left = right;
    right = next;
  }
  value = left << network.half_bits | right;
  std::memcpy(values, &value, sizeof(value));
}

void portable(const FeistelNetwork& network, std::uint64_t* values) {
  network_body(network, values);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void avx2(const FeistelNetwork& network, std::uint64_t* values) {
  network_body(network, values);
}
[[gnu::target("avx512f")]] void avx512(const FeistelNetwork& network, std::uint64_t* values) {
  network_body(network, values);
}
#endif

}  // namespace

FeistelVersions feistel_versions() {
  FeistelVersions out{{portable}, 1};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) out.functions[out.count++] = avx2;
  if (__builtin_cpu_supports("avx512f")) out.functions[out.count++] = avx512;
#endif
  return out;
}

FeistelLanesFunction feistel_lanes() {
  static const FeistelLanesFunction fastest = [] {
    const FeistelVersions versions = feistel_versions();
    return versions.functions[versions.count - 1];
  }();
  return fastest;
}

}  // namespace proofline::filecoin
