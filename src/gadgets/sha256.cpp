#include "gadgets/sha256.hpp"

#include <algorithm>
#include <cassert>

namespace proofline::gadgets {
namespace {

// FIPS 180-4, section 4.2.2: fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Section 5.3.3: fractional parts of the square roots of the first 8 primes.
constexpr std::array<std::uint32_t, 8> kInitialState = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

Word32 xor3(Builder& cs, const Word32& a, const Word32& b, const Word32& c) {
  return bitwise_xor(cs, bitwise_xor(cs, a, b), c);
}

/// Operands whose sum is not allocated yet: the reference adds a round's a and e only when the next
/// round needs them, which fixes the order of variables.
class PendingSum {
 public:
  explicit PendingSum(const Word32& word) : words_{word} {}
  explicit PendingSum(std::vector<Word32> words) : words_(std::move(words)) {}

  /// The word itself for a single operand without `extra`.
  Word32 compute(Builder& cs, MultiEquality& equality) const {
    return words_.size() == 1 ? words_[0] : add_many(cs, equality, words_);
  }
  Word32 compute_plus(Builder& cs, MultiEquality& equality, const Word32& extra) const {
    std::vector<Word32> words = words_;
    words.push_back(extra);
    return add_many(cs, equality, words);
  }

 private:
  std::vector<Word32> words_;
};

}  // namespace

std::array<Word32, 8> sha256_compress(Builder& cs, std::span<const Boolean, 512> block,
                                      const std::array<Word32, 8>& state) {
  MultiEquality equality(cs);
  std::array<Word32, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = Word32::from_bits_be(std::span<const Boolean, 32>(block.data() + 32 * i, 32));
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const Scope scope(cs, "schedule", static_cast<std::int64_t>(i));
    const Word32 s0 = xor3(cs, w[i - 15].rotate_right(7), w[i - 15].rotate_right(18), w[i - 15].shift_right(3));
    const Word32 s1 = xor3(cs, w[i - 2].rotate_right(17), w[i - 2].rotate_right(19), w[i - 2].shift_right(10));
    w[i] = add_many(cs, equality, std::array{w[i - 16], s0, w[i - 7], s1});
  }

  PendingSum a(state[0]), e(state[4]);
  Word32 b = state[1], c = state[2], d = state[3];
  Word32 f = state[5], g = state[6], h = state[7];
  for (std::size_t i = 0; i < 64; ++i) {
    const Scope scope(cs, "round", static_cast<std::int64_t>(i));
    const Word32 new_e = e.compute(cs, equality);
    const Word32 s1 = xor3(cs, new_e.rotate_right(6), new_e.rotate_right(11), new_e.rotate_right(25));
    const Word32 ch = choice(cs, new_e, f, g);
    std::vector<Word32> sum_e = {h, s1, ch, Word32::constant(kRoundConstants[i]), w[i]};
    std::vector<Word32> sum_a = sum_e;

    const Word32 new_a = a.compute(cs, equality);
    const Word32 s0 = xor3(cs, new_a.rotate_right(2), new_a.rotate_right(13), new_a.rotate_right(22));
    const Word32 maj = majority(cs, new_a, b, c);
    sum_e.push_back(d);
    sum_a.push_back(s0);
    sum_a.push_back(maj);

    h = g;
    g = f;
    f = new_e;
    e = PendingSum(std::move(sum_e));
    d = c;
    c = b;
    b = new_a;
    a = PendingSum(std::move(sum_a));
  }

  const Scope scope(cs, "output");
  std::array<Word32, 8> out;
  out[0] = a.compute_plus(cs, equality, state[0]);
  out[1] = add_many(cs, equality, std::array{state[1], b});
  out[2] = add_many(cs, equality, std::array{state[2], c});
  out[3] = add_many(cs, equality, std::array{state[3], d});
  out[4] = e.compute_plus(cs, equality, state[4]);
  out[5] = add_many(cs, equality, std::array{state[5], f});
  out[6] = add_many(cs, equality, std::array{state[6], g});
  out[7] = add_many(cs, equality, std::array{state[7], h});
  equality.flush();
  return out;
}

std::vector<Boolean> sha256(Builder& cs, std::span<const Boolean> message) {
  assert(message.size() % 8 == 0);
  std::vector<Boolean> padded(message.begin(), message.end());
  padded.push_back(Boolean::constant(true));
  while (padded.size() % 512 != 448) padded.push_back(Boolean::constant(false));
  for (unsigned i = 64; i-- > 0;) padded.push_back(Boolean::constant((std::uint64_t{message.size()} >> i) & 1));

  std::array<Word32, 8> state;
  std::transform(kInitialState.begin(), kInitialState.end(), state.begin(), Word32::constant);
  for (std::size_t block = 0; block < padded.size() / 512; ++block) {
    const Scope scope(cs, "block", static_cast<std::int64_t>(block));
    state = sha256_compress(cs, std::span<const Boolean, 512>(padded.data() + 512 * block, 512), state);
  }
  std::vector<Boolean> digest;
  digest.reserve(256);
  for (const Word32& word : state) digest.insert(digest.end(), word.bits.rbegin(), word.bits.rend());
  return digest;
}

}  // namespace proofline::gadgets
