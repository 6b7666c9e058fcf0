#include "filecoin/feistel.hpp"

#include <bit>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kRounds = 3;

// BLAKE2b (RFC 7693) of one 16-byte message, written for this use: 24 calls a node leave no room for
// a general interface, and most message words are known to be zero.
constexpr std::array<std::uint64_t, 8> kIv{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                           0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                           0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constexpr std::size_t kBlakeRounds = 12;
constexpr std::uint8_t kSigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

struct Message {
  std::uint64_t word0;
  std::uint64_t word1;
  template <std::size_t kIndex>
  std::uint64_t get() const {
    if constexpr (kIndex == 0) return word0;
    if constexpr (kIndex == 1) return word1;
    return 0;
  }
};

inline void mix(std::uint64_t& a, std::uint64_t& b, std::uint64_t& c, std::uint64_t& d, std::uint64_t x,
                std::uint64_t y) {
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

template <std::size_t kRound>
inline void round(std::uint64_t (&v)[16], const Message& m) {
  constexpr const std::uint8_t(&s)[16] = kSigma[kRound % 10];
  mix(v[0], v[4], v[8], v[12], m.get<s[0]>(), m.get<s[1]>());
  mix(v[1], v[5], v[9], v[13], m.get<s[2]>(), m.get<s[3]>());
  mix(v[2], v[6], v[10], v[14], m.get<s[4]>(), m.get<s[5]>());
  mix(v[3], v[7], v[11], v[15], m.get<s[6]>(), m.get<s[7]>());
  mix(v[0], v[5], v[10], v[15], m.get<s[8]>(), m.get<s[9]>());
  mix(v[1], v[6], v[11], v[12], m.get<s[10]>(), m.get<s[11]>());
  mix(v[2], v[7], v[8], v[13], m.get<s[12]>(), m.get<s[13]>());
  mix(v[3], v[4], v[9], v[14], m.get<s[14]>(), m.get<s[15]>());
}

constexpr std::uint64_t byte_swap(std::uint64_t x) {
  std::uint64_t out = 0;
  for (int i = 0; i < 8; ++i) out = out << 8 | (x >> (8 * i) & 0xff);
  return out;
}

}  // namespace

std::uint64_t feistel_round(std::uint64_t right, std::uint64_t key) {
  constexpr std::uint64_t kMessageBytes = 16;
  constexpr std::uint64_t kParameters = 0x01010040;  // sequential, no key, 64-byte digest
  constexpr std::uint64_t kFirst = kIv[0] ^ kParameters;
  std::uint64_t v[16] = {kFirst, kIv[1], kIv[2], kIv[3], kIv[4], kIv[5], kIv[6], kIv[7],
                         kIv[0], kIv[1], kIv[2], kIv[3], kIv[4] ^ kMessageBytes, kIv[5], ~kIv[6], kIv[7]};
  const Message message{byte_swap(right), byte_swap(key)};
  [&]<std::size_t... kRound>(std::index_sequence<kRound...>) {
    (round<kRound>(v, message), ...);
  }(std::make_index_sequence<kBlakeRounds>{});
  return byte_swap(kFirst ^ v[0] ^ v[8]);
}

FeistelPermutation::FeistelPermutation(std::uint64_t elements, const std::array<std::uint64_t, 4>& keys)
    : elements_(elements), keys_(keys), half_bits_(1) {
  if (elements == 0 || elements > (std::uint64_t{1} << 62)) {
    throw InputError("Feistel permutation: " + std::to_string(elements) + " elements; expected 1 to 2^62");
  }
  while ((std::uint64_t{1} << (2 * half_bits_)) < elements) ++half_bits_;
  mask_ = (std::uint64_t{1} << half_bits_) - 1;
}

std::uint64_t FeistelPermutation::operator()(std::uint64_t index) const {
  std::uint64_t value = index;
  do {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask_;
    for (std::size_t i = 0; i < kRounds; ++i) {
      left ^= feistel_round(right, keys_[i]) & mask_;
      std::swap(left, right);
    }
    value = left << half_bits_ | right;
  } while (value >= elements_);
  return value;
}

std::uint64_t FeistelPermutation::inverse(std::uint64_t image) const {
  std::uint64_t value = image;
  do {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask_;
    for (std::size_t i = kRounds; i-- > 0;) {
      std::swap(left, right);
      left ^= feistel_round(right, keys_[i]) & mask_;
    }
    value = left << half_bits_ | right;
  } while (value >= elements_);
  return value;
}

}  // namespace proofline::filecoin
