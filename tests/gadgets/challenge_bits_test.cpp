#include "gadgets/challenge_bits.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

const math::PoseidonConstants& constants() {
  static const math::PoseidonConstants made = math::make_poseidon_constants(2, math::arbitrary_tag(1));
  return made;
}

std::uint64_t packed(std::span<const Boolean> bits) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) out |= std::uint64_t{bits[i].value()} << i;
  return out;
}

TEST(ChallengeBits, AreThoseOfTheDigests) {
  for (const auto& [count, width] : std::vector<std::pair<std::size_t, std::size_t>>{{10, 6}, {10, 17}, {30, 26}}) {
    const std::size_t each = 254 / width;
    const std::size_t digests = (count + each - 1) / each;
    const auto circuit = [&](Builder& cs) {
      const Number seed = alloc_number(cs, Fr::from_u64(99));
      const Number partition = alloc_number(cs, Fr::from_u64(3));
      const auto challenges = challenge_bits(cs, constants(), seed, partition, count, width);
      ASSERT_EQ(challenges.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(challenges[i].size(), width);
        const Fr index = Fr::from_u64(3 * digests + i / each);
        const auto limbs = math::poseidon(constants(), std::array{seed.value, index}).to_canonical();
        std::uint64_t expected = 0;
        for (std::size_t bit = 0; bit < width; ++bit) {
          const std::size_t at = i % each * width + bit;
          expected |= ((limbs[at / 64] >> at % 64) & 1) << bit;
        }
        EXPECT_EQ(packed(challenges[i]), expected);
      }
    };
    const auto run = test::run_circuit(circuit);
    EXPECT_EQ(run.first_broken, "");
    // A digest: its index, a hash of 311 rows, 255 bits and their sum.
    EXPECT_EQ(run.shape.num_constraints, digests * (1 + 311 + 255 + 1));
    test::expect_same_forms(circuit);
  }
}

// The reference's update gadget test: one digest, 568 rows.
TEST(ChallengeBits, RowsOfTheSmallSizes) {
  const auto run = test::run_circuit([](Builder& cs) {
    challenge_bits(cs, constants(), alloc_number(cs, Fr::one()), alloc_number(cs, Fr::zero()), 10, 18);
  });
  EXPECT_EQ(run.shape.num_constraints, 568U);
}

TEST(SelectedHighBits, AreTheSelectedWidths) {
  const std::array<unsigned, 6> widths{7, 8, 9, 10, 11, 12};
  constexpr std::uint64_t kIndex = 0b101101110111011;  // 15 bits
  for (std::size_t selected = 0; selected < widths.size(); ++selected) {
    Number high;
    const auto circuit = [&](Builder& cs) {
      std::vector<Boolean> bits, selector;
      for (unsigned i = 0; i < 15; ++i) bits.push_back(alloc_boolean(cs, (kIndex >> i) & 1));
      for (std::size_t i = 0; i < widths.size(); ++i) selector.push_back(alloc_boolean(cs, i == selected));
      high = selected_high_bits(cs, bits, selector, widths);
    };
    const auto run = test::run_circuit(circuit);
    EXPECT_EQ(run.first_broken, "");
    EXPECT_EQ(high.value, Fr::from_u64(kIndex >> (15 - widths[selected])));
    EXPECT_EQ(run.shape.num_constraints, 15U + 6 + 2 * 6 + 1);
    test::expect_same_forms(circuit);
  }
}

/// Rows that break when one aux value of a circuit changes, for each of its aux values from `first` on.
void expect_every_value_is_bound(const r1cs::Circuit& circuit, std::size_t first) {
  test::RowStore rows;
  r1cs::Builder cs(&rows, r1cs::Keep::kWitness);
  circuit(cs);
  r1cs::FlatWitness witness = cs.take_flat_witness();
  for (std::size_t i = first; i < witness.aux.size(); ++i) {
    witness.aux[i] += Fr::from_u64(7);
    EXPECT_FALSE(std::ranges::all_of(rows.rows, [&](const auto& row) { return row.holds(witness); })) << "aux " << i;
    witness.aux[i] -= Fr::from_u64(7);
  }
}

TEST(SelectedHighBits, EveryValueIsBound) {
  expect_every_value_is_bound(
      [](Builder& cs) {
        std::vector<Boolean> bits, selector;
        for (unsigned i = 0; i < 8; ++i) bits.push_back(alloc_boolean(cs, i % 3 == 0));
        for (unsigned i = 0; i < 2; ++i) selector.push_back(alloc_boolean(cs, i == 1));
        selected_high_bits(cs, bits, selector, std::array{3U, 4U});
      },
      0);
}

TEST(Decompose, BitsMakeTheNumber) {
  const auto circuit = [](Builder& cs) {
    const std::vector<Boolean> bits = decompose(cs, alloc_number(cs, Fr::from_u64(0b1011001)), 10);
    EXPECT_EQ(packed(bits), 0b1011001U);
  };
  EXPECT_EQ(test::run_circuit(circuit).first_broken, "");
  EXPECT_EQ(test::run_circuit(circuit).shape.num_constraints, 11U);
  test::expect_same_forms(circuit);
  expect_every_value_is_bound(circuit, 0);
  // A number that needs more bits breaks the sum, in every form.
  const auto too_large = [](Builder& cs) { decompose(cs, alloc_number(cs, Fr::from_u64(1024)), 10); };
  EXPECT_NE(test::run_circuit(too_large).first_broken, "");
  test::expect_same_forms(too_large);
}

TEST(Multiply, IsTheProduct) {
  const auto circuit = [](Builder& cs) {
    EXPECT_EQ(multiply(cs, alloc_number(cs, Fr::from_u64(6)), alloc_number(cs, Fr::from_u64(7))).value,
              Fr::from_u64(42));
  };
  const auto run = test::run_circuit(circuit);
  EXPECT_EQ(run.first_broken, "");
  EXPECT_EQ(run.shape.num_constraints, 1U);
  expect_every_value_is_bound(circuit, 0);
}

}  // namespace
}  // namespace proofline::gadgets
