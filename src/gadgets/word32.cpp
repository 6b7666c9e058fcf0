#include "gadgets/word32.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace proofline::gadgets {

Word32 Word32::constant(std::uint32_t value) {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) out.bits[i] = Boolean::constant((value >> i) & 1);
  out.value = value;
  return out;
}

Word32 Word32::from_bits_be(std::span<const Boolean, 32> bits) {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) {
    out.bits[i] = bits[31 - i];
    out.value |= std::uint32_t{out.bits[i].value()} << i;
  }
  return out;
}

bool Word32::is_constant() const {
  return std::all_of(bits.begin(), bits.end(), [](const Boolean& bit) { return bit.is_constant(); });
}

Word32 Word32::rotate_right(unsigned by) const {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) out.bits[i] = bits[(i + by) % 32];
  out.value = std::rotr(value, static_cast<int>(by));
  return out;
}

Word32 Word32::shift_right(unsigned by) const {
  Word32 out;
  for (unsigned i = 0; i + by < 32; ++i) out.bits[i] = bits[i + by];
  out.value = value >> by;
  return out;
}

Word32 bitwise_xor(Builder& cs, const Word32& a, const Word32& b) {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) out.bits[i] = logical_xor(cs, a.bits[i], b.bits[i]);
  out.value = a.value ^ b.value;
  return out;
}

Word32 choice(Builder& cs, const Word32& a, const Word32& b, const Word32& c) {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) out.bits[i] = sha256_choice(cs, a.bits[i], b.bits[i], c.bits[i]);
  out.value = (a.value & b.value) ^ (~a.value & c.value);
  return out;
}

Word32 majority(Builder& cs, const Word32& a, const Word32& b, const Word32& c) {
  Word32 out;
  for (unsigned i = 0; i < 32; ++i) out.bits[i] = sha256_majority(cs, a.bits[i], b.bits[i], c.bits[i]);
  out.value = (a.value & b.value) ^ (a.value & c.value) ^ (b.value & c.value);
  return out;
}

Word32 add_many(Builder& cs, MultiEquality& equality, std::span<const Word32> words) {
  assert(words.size() >= 2 && words.size() <= 10);
  std::uint64_t sum = 0;
  bool constant = true;
  for (const Word32& word : words) {
    sum += word.value;
    constant = constant && word.is_constant();
  }
  if (constant) return Word32::constant(static_cast<std::uint32_t>(sum));

  const std::uint64_t largest = words.size() * std::uint64_t{UINT32_MAX};
  const auto num_bits = static_cast<unsigned>(std::bit_width(largest));
  std::array<Boolean, 36> result;
  for (unsigned i = 0; i < num_bits; ++i) result[i] = alloc_boolean(cs, (sum >> i) & 1);

  equality.begin(num_bits);
  for (const Word32& word : words)
    for (unsigned i = 0; i < 32; ++i) equality.add_left(word.bits[i], i);
  for (unsigned i = 0; i < num_bits; ++i) equality.add_right(result[i], i);

  Word32 out;
  std::copy_n(result.begin(), 32, out.bits.begin());
  out.value = static_cast<std::uint32_t>(sum);
  return out;
}

}  // namespace proofline::gadgets
