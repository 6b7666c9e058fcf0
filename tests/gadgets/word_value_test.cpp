#include "gadgets/word_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gadgets/word32.hpp"
#include "support/circuits.hpp"

namespace proofline::gadgets {
namespace {

class IgnoreRows : public r1cs::RowSink {
 public:
  void row(const Builder&, const r1cs::Row&) override {}
};

/// A word as both kinds of gadget take it, on a builder each.
class Twins {
 public:
  Twins() : bitwise_(&sink_, r1cs::Keep::kWitness), wordwise_(nullptr, r1cs::Keep::kWitness) {}

  void operand(std::uint32_t value, std::uint32_t variable, std::uint32_t negated) {
    Word32 word;
    word.value = value;
    for (unsigned i = 0; i < 32; ++i) {
      const bool bit = (value >> i) & 1;
      const bool inverse = (negated >> i) & 1;
      if (((variable >> i) & 1) == 0) {
        word.bits[i] = Boolean::constant(bit);
        continue;
      }
      const Boolean allocated = alloc_boolean(bitwise_, bit != inverse);
      word.bits[i] = inverse ? !allocated : allocated;
      wordwise_.alloc_bit(bit != inverse);
    }
    bits_.push_back(word);
    values_.push_back({value, variable, variable & negated});
  }

  /// Runs an operation both ways: results and all allocated values must agree.
  template <class OnBits, class OnValues>
  void run(const OnBits& on_bits, const OnValues& on_values) {
    const Word32 bits = on_bits(bitwise_, bits_);
    const WordValue values = on_values(wordwise_, values_);
    for (unsigned i = 0; i < 32; ++i) {
      RC_ASSERT(bits.bits[i].value() == (((values.value >> i) & 1) != 0));
      RC_ASSERT(bits.bits[i].is_constant() == (((values.variable >> i) & 1) == 0));
      RC_ASSERT((bits.bits[i].kind() == Boolean::Kind::kNot) == (((values.negated >> i) & 1) != 0));
    }
    const r1cs::CompactWitness one = bitwise_.take_witness();
    const r1cs::CompactWitness other = wordwise_.take_witness();
    RC_ASSERT(one.bits == other.bits);
    RC_ASSERT(*one.kinds == *other.kinds);
  }

 private:
  IgnoreRows sink_;
  Builder bitwise_, wordwise_;
  std::vector<Word32> bits_;
  std::vector<WordValue> values_;
};

/// Whole words of constants and of variables are as likely as mixed ones.
std::uint32_t mask() {
  return *rc::gen::oneOf(rc::gen::just(0U), rc::gen::just(~0U), rc::gen::arbitrary<std::uint32_t>());
}

TEST(WordValue, XorAgreesWithTheBitGadget) {
  EXPECT_TRUE(rc::check([] {
    Twins pair;
    for (int i = 0; i < 2; ++i) pair.operand(*rc::gen::arbitrary<std::uint32_t>(), mask(), mask());
    pair.run([](Builder& cs, const auto& w) { return bitwise_xor(cs, w[0], w[1]); },
             [](Builder& cs, const auto& w) { return bitwise_xor(cs, w[0], w[1]); });
  }));
}

TEST(WordValue, ChoiceAndMajorityAgreeWithTheBitGadgets) {
  EXPECT_TRUE(rc::check([] {
    const bool majority_wanted = *rc::gen::arbitrary<bool>();
    Twins pair;
    for (int i = 0; i < 3; ++i) pair.operand(*rc::gen::arbitrary<std::uint32_t>(), mask(), mask());
    const auto run = [&](Builder& cs, const auto& w) {
      return majority_wanted ? majority(cs, w[0], w[1], w[2]) : choice(cs, w[0], w[1], w[2]);
    };
    pair.run(run, run);
  }));
}

TEST(WordValue, SumsAgreeWithTheBitGadget) {
  EXPECT_TRUE(rc::check([] {
    const int count = *rc::gen::inRange(2, 11);
    Twins pair;
    for (int i = 0; i < count; ++i) pair.operand(*rc::gen::arbitrary<std::uint32_t>(), mask(), mask());
    pair.run(
        [](Builder& cs, const std::vector<Word32>& w) {
          MultiEquality equality(cs);
          return add_many(cs, equality, w);
        },
        [](Builder& cs, const std::vector<WordValue>& w) { return add_many(cs, w); });
  }));
}

TEST(WordValue, RotationsAndShiftsAgreeWithTheBitGadgets) {
  EXPECT_TRUE(rc::check([] {
    const auto by = static_cast<unsigned>(*rc::gen::inRange(0, 32));
    const bool shift = *rc::gen::arbitrary<bool>();
    Twins pair;
    pair.operand(*rc::gen::arbitrary<std::uint32_t>(), mask(), mask());
    const auto run = [&](Builder&, const auto& w) { return shift ? w[0].shift_right(by) : w[0].rotate_right(by); };
    pair.run(run, run);
  }));
}

}  // namespace
}  // namespace proofline::gadgets
