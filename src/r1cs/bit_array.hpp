#pragma once
/// Growing arrays of bits, 64 to a word, the first in a word's lowest place.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace proofline::r1cs {

/// Words that hold `bits` bits.
constexpr std::size_t words_for(std::size_t bits) {
  return (bits + 63) / 64;
}

/// The lowest `count` bits set, count <= 64.
constexpr std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Bits [position, position + count) of packed words, count from 1 to 64. The words hold all of them.
inline std::uint64_t extract_bits(const std::uint64_t* words, std::size_t position, unsigned count) {
  const std::size_t word = position / 64;
  const unsigned shift = position % 64;
  std::uint64_t out = words[word] >> shift;
  if (shift + count > 64) out |= words[word + 1] << (64 - shift);
  return out & low_bits(count);
}

class BitArray {
 public:
  std::size_t size() const { return size_; }
  bool get(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  /// Bits beyond size() in the last word are zero.
  std::span<const std::uint64_t> words() const { return words_; }
  std::uint64_t extract(std::size_t position, unsigned count) const {
    return extract_bits(words_.data(), position, count);
  }

  void push(bool bit) { append(bit ? 1 : 0, 1); }
  /// The lowest `count` bits of `bits`, count <= 64; bits above are ignored.
  void append(std::uint64_t bits, unsigned count) {
    if (count == 0) return;
    bits &= low_bits(count);
    const unsigned shift = size_ % 64;
    if (shift == 0) {
      words_.push_back(bits);
    } else {
      words_.back() |= bits << shift;
      if (shift + count > 64) words_.push_back(bits >> (64 - shift));
    }
    size_ += count;
  }
  void append(const BitArray& other);
  void reserve(std::size_t bits) { words_.reserve(words_for(bits)); }
  /// New bits are zero.
  void resize(std::size_t bits);
  void clear() {
    words_.clear();
    size_ = 0;
  }
  void shrink_to_fit() { words_.shrink_to_fit(); }
  std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }
  bool operator==(const BitArray&) const = default;

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

/// Bits with the number of ones before any place in constant time: a 32-bit count every 512 bits.
class RankedBits {
 public:
  std::size_t size() const { return bits_.size(); }
  bool get(std::size_t i) const { return bits_.get(i); }
  /// Number of ones.
  std::size_t count() const { return count_; }
  /// Number of ones before place i, i <= size().
  std::size_t rank(std::size_t i) const {
    if (i == bits_.size()) return count_;
    const std::size_t block = i / kBlock;
    std::size_t out = ranks_[block];
    const std::span<const std::uint64_t> words = bits_.words();
    for (std::size_t word = block * (kBlock / 64); word < i / 64; ++word)
      out += static_cast<std::size_t>(std::popcount(words[word]));
    return out + static_cast<std::size_t>(std::popcount(words[i / 64] & low_bits(i % 64)));
  }
  const BitArray& bits() const { return bits_; }

  void append(std::uint64_t bits, unsigned count);
  void append(const BitArray& other);
  void reserve(std::size_t bits);
  void shrink_to_fit();
  std::size_t bytes() const { return bits_.bytes() + ranks_.capacity() * sizeof(std::uint32_t); }
  bool operator==(const RankedBits& other) const { return bits_ == other.bits_; }

 private:
  static constexpr std::size_t kBlock = 512;
  BitArray bits_;
  std::vector<std::uint32_t> ranks_;  ///< of each block's first bit
  std::size_t count_ = 0;
};

}  // namespace proofline::r1cs
