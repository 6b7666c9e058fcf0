#include "r1cs/bit_array.hpp"

#include <gtest/gtest.h>

#include <random>

namespace proofline::r1cs {
namespace {

/// Random bits in random portions, and the same as a vector.
struct Pair {
  BitArray packed;
  RankedBits ranked;
  std::vector<bool> plain;

  void append(std::uint64_t bits, unsigned count) {
    packed.append(bits, count);
    ranked.append(bits, count);
    for (unsigned i = 0; i < count; ++i) plain.push_back((bits >> i) & 1);
  }
};

Pair random_pair(std::mt19937_64& rng, int portions) {
  Pair out;
  for (int i = 0; i < portions; ++i) out.append(rng(), static_cast<unsigned>(rng() % 65));
  return out;
}

TEST(BitArray, HoldsWhatWasAppended) {
  std::mt19937_64 rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Pair pair = random_pair(rng, 40);
    ASSERT_EQ(pair.packed.size(), pair.plain.size());
    for (std::size_t i = 0; i < pair.plain.size(); ++i) ASSERT_EQ(pair.packed.get(i), pair.plain[i]) << i;
    // The unused part of the last word is zero, so that arrays compare and words can be taken whole.
    BitArray again;
    for (const bool bit : pair.plain) again.push(bit);
    EXPECT_EQ(again, pair.packed);
  }
}

TEST(BitArray, ExtractsRunsAcrossWords) {
  std::mt19937_64 rng(2);
  const Pair pair = random_pair(rng, 50);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto count = static_cast<unsigned>(1 + rng() % 64);
    const std::size_t position = rng() % (pair.plain.size() - count + 1);
    std::uint64_t expected = 0;
    for (unsigned i = 0; i < count; ++i) expected |= std::uint64_t{pair.plain[position + i]} << i;
    ASSERT_EQ(pair.packed.extract(position, count), expected) << position << ' ' << count;
  }
}

TEST(BitArray, AppendsArraysAtAnyPlace) {
  std::mt19937_64 rng(3);
  for (int trial = 0; trial < 50; ++trial) {
    Pair front = random_pair(rng, static_cast<int>(rng() % 5));
    const Pair back = random_pair(rng, static_cast<int>(rng() % 30));
    front.packed.append(back.packed);
    front.ranked.append(back.packed);
    front.plain.insert(front.plain.end(), back.plain.begin(), back.plain.end());
    ASSERT_EQ(front.packed.size(), front.plain.size());
    for (std::size_t i = 0; i < front.plain.size(); ++i) ASSERT_EQ(front.packed.get(i), front.plain[i]);
    EXPECT_EQ(front.ranked.bits(), front.packed);
    EXPECT_EQ(front.ranked.count(), std::count(front.plain.begin(), front.plain.end(), true));
  }
}

TEST(RankedBits, CountsTheOnesBeforeEveryPlace) {
  std::mt19937_64 rng(4);
  for (int trial = 0; trial < 10; ++trial) {
    Pair pair = random_pair(rng, 90);
    // Also an array that ends at the end of a block of 512.
    if (trial % 2 == 0)
      while (pair.plain.size() % 512 != 0) pair.append(rng(), 1);
    std::size_t rank = 0;
    for (std::size_t i = 0; i <= pair.plain.size(); ++i) {
      ASSERT_EQ(pair.ranked.rank(i), rank) << i;
      if (i < pair.plain.size()) rank += pair.plain[i];
    }
    EXPECT_EQ(pair.ranked.count(), rank);
  }
}

TEST(RankedBits, EmptyHasRankZero) {
  const RankedBits empty;
  EXPECT_EQ(empty.rank(0), 0U);
  EXPECT_EQ(empty.count(), 0U);
}

}  // namespace
}  // namespace proofline::r1cs
