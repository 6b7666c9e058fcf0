#include "r1cs/bit_array.hpp"

#include <algorithm>

namespace proofline::r1cs {

void BitArray::append(const BitArray& other) {
  if (size_ % 64 == 0) {
    words_.insert(words_.end(), other.words_.begin(), other.words_.end());
    size_ += other.size_;
    return;
  }
  for (std::size_t i = 0; i < other.size_; i += 64)
    append(other.words_[i / 64], static_cast<unsigned>(std::min<std::size_t>(64, other.size_ - i)));
}

void BitArray::resize(std::size_t bits) {
  words_.resize(words_for(bits));
  if (bits < size_ && bits % 64 != 0) words_.back() &= low_bits(bits % 64);
  size_ = bits;
}

void RankedBits::append(std::uint64_t bits, unsigned count) {
  bits &= low_bits(count);
  while (count > 0) {
    const std::size_t place = bits_.size() % kBlock;
    if (place == 0) ranks_.push_back(static_cast<std::uint32_t>(count_));
    const auto now = static_cast<unsigned>(std::min<std::size_t>(count, kBlock - place));
    const std::uint64_t part = bits & low_bits(now);
    bits_.append(part, now);
    count_ += static_cast<std::size_t>(std::popcount(part));
    bits = now == 64 ? 0 : bits >> now;
    count -= now;
  }
}

void RankedBits::append(const BitArray& other) {
  for (std::size_t i = 0; i < other.size(); i += 64)
    append(other.words()[i / 64], static_cast<unsigned>(std::min<std::size_t>(64, other.size() - i)));
}

void RankedBits::reserve(std::size_t bits) {
  bits_.reserve(bits);
  ranks_.reserve(bits / kBlock + 1);
}

void RankedBits::shrink_to_fit() {
  bits_.shrink_to_fit();
  ranks_.shrink_to_fit();
}

}  // namespace proofline::r1cs
