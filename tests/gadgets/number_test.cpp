#include "gadgets/number.hpp"

#include <gtest/gtest.h>

#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

TEST(Number, BitsGiveTheValueBack) {
  for (const Fr& value : {Fr::zero(), Fr::one(), Fr::minus_one(), Fr::random()}) {
    const auto run = test::run_circuit([&](Builder& cs) {
      const std::vector<Boolean> bits = to_bits_le(cs, alloc_number(cs, value));
      ASSERT_EQ(bits.size(), 255U);
      Fr sum;
      for (unsigned i = 0; i < bits.size(); ++i)
        if (bits[i].value()) sum += power_of_two(i);
      EXPECT_EQ(sum, value);
    });
    EXPECT_EQ(run.shape.num_constraints, 256U);
    EXPECT_EQ(run.first_broken, "");
  }
}

TEST(Number, BitsAreTheSameInAllForms) {
  for (const Fr& value : {Fr::zero(), Fr::one(), Fr::minus_one(), Fr::random(), Fr::random()})
    test::expect_same_forms([&](Builder& cs) {
      const std::vector<Boolean> bits = to_bits_le(cs, alloc_number(cs, value));
      pack_bits(cs, std::span(bits).first(Fr::kCapacity));
    });
}

TEST(Number, PackingHandlesConstantsAndNegations) {
  const auto run = test::run_circuit([](Builder& cs) {
    const Boolean one = alloc_boolean(cs, true);
    const std::vector<Boolean> bits = {one, !one, Boolean::constant(true), Boolean::constant(false), !one, one};
    EXPECT_EQ(pack_bits(cs, bits).value, Fr::from_u64(0b100101));
  });
  EXPECT_EQ(run.first_broken, "");
}

TEST(Number, PackIntoInputsSplitsAt254Bits) {
  const auto run = test::run_circuit([](Builder& cs) {
    std::vector<Boolean> bits;
    for (int i = 0; i < 300; ++i) bits.push_back(alloc_boolean(cs, i == 0 || i == 254));
    pack_into_inputs(cs, bits);
  });
  EXPECT_EQ(run.witness.inputs, (std::vector<Fr>{Fr::one(), Fr::one(), Fr::one()}));
  EXPECT_EQ(run.first_broken, "");
}

TEST(Number, PickAndAddAndEqual) {
  for (const bool condition : {false, true}) {
    const auto run = test::run_circuit([&](Builder& cs) {
      const Number a = alloc_number(cs, Fr::from_u64(5));
      const Number b = alloc_number(cs, Fr::from_u64(9));
      const Boolean bit = alloc_boolean(cs, condition);
      EXPECT_EQ(pick(cs, bit, a, b).value, condition ? a.value : b.value);
      EXPECT_EQ(pick(cs, !bit, a, b).value, condition ? b.value : a.value);
      const Number sum = add(cs, a, b);
      EXPECT_EQ(sum.value, Fr::from_u64(14));
      enforce_equal(cs, sum, alloc_number(cs, Fr::from_u64(14)));
      inputize(cs, sum);
    });
    EXPECT_EQ(run.first_broken, "");
    EXPECT_EQ(run.witness.inputs.back(), Fr::from_u64(14));
  }
  const auto wrong = test::run_circuit(
      [](Builder& cs) { enforce_equal(cs, alloc_number(cs, Fr::one()), alloc_number(cs, Fr::zero())); });
  EXPECT_NE(wrong.first_broken, "");
}

TEST(Number, ReverseBitsInBytesIsAnInvolutionAfterPadding) {
  Builder cs(nullptr, r1cs::Keep::kNothing);
  std::vector<Boolean> bits;
  for (int i = 0; i < 13; ++i) bits.push_back(Boolean::constant(i % 3 == 0));
  const std::vector<Boolean> reversed = reverse_bits_in_bytes(bits);
  ASSERT_EQ(reversed.size(), 16U);
  EXPECT_EQ(reversed[7].value(), bits[0].value());
  EXPECT_EQ(reversed[15].value(), bits[8].value());
  const std::vector<Boolean> back = reverse_bits_in_bytes(reversed);
  for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(back[i].value(), bits[i].value());
}

}  // namespace
}  // namespace proofline::gadgets
