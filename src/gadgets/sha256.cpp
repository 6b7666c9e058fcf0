#include "gadgets/sha256.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "gadgets/word32.hpp"
#include "gadgets/word_value.hpp"

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

/// Words as bits of variables, with rows. Lives for one compression, whose sums share rows.
class RowWords {
 public:
  using Word = Word32;
  explicit RowWords(Builder& cs) : cs_(cs), equality_(cs) {}

  Word exclusive_or(const Word& a, const Word& b) { return bitwise_xor(cs_, a, b); }
  Word choose(const Word& a, const Word& b, const Word& c) { return choice(cs_, a, b, c); }
  Word majority_of(const Word& a, const Word& b, const Word& c) { return majority(cs_, a, b, c); }
  Word sum(std::span<const Word> words) { return add_many(cs_, equality_, words); }
  void end() { equality_.flush(); }
  Builder& cs() { return cs_; }
  static void append_bits_be(const Word& word, std::vector<Boolean>& out) {
    out.insert(out.end(), word.bits.rbegin(), word.bits.rend());
  }

 private:
  Builder& cs_;
  MultiEquality equality_;
};

/// Words as values only.
class ValueWords {
 public:
  using Word = WordValue;
  explicit ValueWords(Builder& cs) : cs_(cs) {}

  Word exclusive_or(const Word& a, const Word& b) { return bitwise_xor(cs_, a, b); }
  Word choose(const Word& a, const Word& b, const Word& c) { return choice(cs_, a, b, c); }
  Word majority_of(const Word& a, const Word& b, const Word& c) { return majority(cs_, a, b, c); }
  Word sum(std::span<const Word> words) { return add_many(cs_, words); }
  void end() {}
  Builder& cs() { return cs_; }
  static void append_bits_be(const Word& word, std::vector<Boolean>& out) {
    const auto bits = word.to_bits_be();
    out.insert(out.end(), bits.begin(), bits.end());
  }

 private:
  Builder& cs_;
};

/// Operands whose sum is not allocated yet: the reference adds a round's a and e only when the next
/// round needs them, which fixes the order of variables.
template <class Words>
class PendingSum {
 public:
  using Word = typename Words::Word;
  explicit PendingSum(const Word& word) { add(word); }

  void add(const Word& word) { terms_[size_++] = word; }
  /// The word itself for a single operand.
  Word compute(Words& words) const { return size_ == 1 ? terms_[0] : words.sum(std::span(terms_).first(size_)); }

 private:
  std::array<Word, 8> terms_;
  std::size_t size_ = 0;
};

/// One compression: `block` is 512 bits, most significant first in each word.
template <class Words>
std::array<typename Words::Word, 8> compress(Words words, std::span<const Boolean, 512> block,
                                             const std::array<typename Words::Word, 8>& state) {
  using Word = typename Words::Word;
  const auto xor3 = [&](const Word& x, const Word& y, const Word& z) {
    return words.exclusive_or(words.exclusive_or(x, y), z);
  };
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = Word::from_bits_be(std::span<const Boolean, 32>(block.data() + 32 * i, 32));
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const Scope scope(words.cs(), "schedule", static_cast<std::int64_t>(i));
    const Word s0 = xor3(w[i - 15].rotate_right(7), w[i - 15].rotate_right(18), w[i - 15].shift_right(3));
    const Word s1 = xor3(w[i - 2].rotate_right(17), w[i - 2].rotate_right(19), w[i - 2].shift_right(10));
    w[i] = words.sum(std::array{w[i - 16], s0, w[i - 7], s1});
  }

  PendingSum<Words> a(state[0]), e(state[4]);
  Word b = state[1], c = state[2], d = state[3];
  Word f = state[5], g = state[6], h = state[7];
  for (std::size_t i = 0; i < 64; ++i) {
    const Scope scope(words.cs(), "round", static_cast<std::int64_t>(i));
    const Word new_e = e.compute(words);
    const Word s1 = xor3(new_e.rotate_right(6), new_e.rotate_right(11), new_e.rotate_right(25));
    const Word ch = words.choose(new_e, f, g);
    PendingSum<Words> sum(h);
    for (const Word& word : {s1, ch, Word::constant(kRoundConstants[i]), w[i]}) sum.add(word);

    const Word new_a = a.compute(words);
    const Word s0 = xor3(new_a.rotate_right(2), new_a.rotate_right(13), new_a.rotate_right(22));
    const Word maj = words.majority_of(new_a, b, c);
    e = sum;
    e.add(d);
    a = sum;
    a.add(s0);
    a.add(maj);

    h = g;
    g = f;
    f = new_e;
    d = c;
    c = b;
    b = new_a;
  }

  const Scope scope(words.cs(), "output");
  std::array<Word, 8> out;
  a.add(state[0]);
  out[0] = a.compute(words);
  out[1] = words.sum(std::array{state[1], b});
  out[2] = words.sum(std::array{state[2], c});
  out[3] = words.sum(std::array{state[3], d});
  e.add(state[4]);
  out[4] = e.compute(words);
  out[5] = words.sum(std::array{state[5], f});
  out[6] = words.sum(std::array{state[6], g});
  out[7] = words.sum(std::array{state[7], h});
  words.end();
  return out;
}

template <class Words>
std::vector<Boolean> hash_blocks(Builder& cs, std::span<const Boolean> padded) {
  using Word = typename Words::Word;
  std::array<Word, 8> state;
  std::transform(kInitialState.begin(), kInitialState.end(), state.begin(), Word::constant);
  for (std::size_t block = 0; block < padded.size() / 512; ++block) {
    const Scope scope(cs, "block", static_cast<std::int64_t>(block));
    state = compress(Words(cs), std::span<const Boolean, 512>(padded.data() + 512 * block, 512), state);
  }
  std::vector<Boolean> digest;
  digest.reserve(256);
  for (const Word& word : state) Words::append_bits_be(word, digest);
  return digest;
}

}  // namespace

std::vector<Boolean> sha256(Builder& cs, std::span<const Boolean> message) {
  assert(message.size() % 8 == 0);
  std::vector<Boolean> padded(message.begin(), message.end());
  padded.push_back(Boolean::constant(true));
  while (padded.size() % 512 != 448) padded.push_back(Boolean::constant(false));
  for (unsigned i = 64; i-- > 0;) padded.push_back(Boolean::constant((std::uint64_t{message.size()} >> i) & 1));

  return cs.wants_rows() ? hash_blocks<RowWords>(cs, padded) : hash_blocks<ValueWords>(cs, padded);
}

}  // namespace proofline::gadgets
