#include "gadgets/sha256.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/sha256.hpp"
#include "gadgets/merkle.hpp"
#include "gadgets/number.hpp"
#include "support/circuit_forms.hpp"

namespace proofline::gadgets {
namespace {

std::vector<Boolean> alloc_bytes(Builder& cs, std::span<const std::uint8_t> bytes) {
  std::vector<Boolean> bits;
  for (const std::uint8_t byte : bytes)
    for (unsigned i = 8; i-- > 0;) bits.push_back(alloc_boolean(cs, (byte >> i) & 1));
  return bits;
}

std::vector<std::uint8_t> to_bytes(std::span<const Boolean> bits) {
  std::vector<std::uint8_t> bytes(bits.size() / 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] << 1 | (bits[i].value() ? 1 : 0));
  return bytes;
}

TEST(Sha256Gadget, DigestEqualsTheHashForAllPaddings) {
  std::mt19937_64 rng(7);
  for (const std::size_t length : {0U, 1U, 31U, 55U, 56U, 63U, 64U, 119U, 130U}) {
    std::vector<std::uint8_t> message(length);
    for (auto& byte : message) byte = static_cast<std::uint8_t>(rng());
    std::vector<std::uint8_t> digest;
    const auto run = test::run_circuit([&](Builder& cs) { digest = to_bytes(sha256(cs, alloc_bytes(cs, message))); });
    const auto expected = proofline::sha256(message);
    EXPECT_TRUE(std::equal(digest.begin(), digest.end(), expected.begin(), expected.end())) << length;
    EXPECT_EQ(run.first_broken, "");
  }
}

TEST(Sha256Gadget, TwoNodesCostWhatTheReferenceAsserts) {
  // rust-fil-proofs storage-proofs-core/src/util.rs: hash_leaf_bits of two nodes, with 512 input bits.
  const auto run = test::run_circuit([](Builder& cs) {
    const std::vector<Boolean> bits = alloc_bytes(cs, std::vector<std::uint8_t>(64, 0x5a));
    const std::vector<Boolean> digest = sha256(cs, bits);
    pack_bits(cs, std::span(digest).first(Fr::kCapacity));
  });
  EXPECT_EQ(run.shape.num_constraints, 45'387U);
  EXPECT_EQ(run.first_broken, "");
}

TEST(Sha256Gadget, ConstantMessageMakesNoRow) {
  const auto run =
      test::run_circuit([](Builder& cs) { sha256(cs, std::vector<Boolean>(64 * 8, Boolean::constant(true))); });
  EXPECT_EQ(run.shape.num_constraints, 0U);
  EXPECT_EQ(run.shape.num_aux, 0U);
}

TEST(Sha256Gadget, IsTheSameInAllForms) {
  std::mt19937_64 rng(11);
  // Messages that mix constants, variables and negated variables, and one of variables only.
  for (const unsigned kinds : {1U, 2U, 4U, 4U, 4U}) {
    for (const std::size_t bytes : {32U, 64U, 100U}) {
      const std::uint64_t seed = rng();
      test::expect_same_forms([&](Builder& cs) {
        std::mt19937_64 bits_rng(seed);
        std::vector<Boolean> bits;
        for (std::size_t i = 0; i < 8 * bytes; ++i) {
          const bool value = bits_rng() % 2 != 0;
          switch (bits_rng() % kinds) {
            case 0:
              bits.push_back(alloc_boolean(cs, value));
              break;
            case 1:
              bits.push_back(!alloc_boolean(cs, value));
              break;
            default:
              bits.push_back(Boolean::constant(value));
          }
        }
        const std::vector<Boolean> digest = sha256(cs, bits);
        pack_bits(cs, std::span(digest).first(Fr::kCapacity));
      });
    }
  }
}

TEST(Sha256Gadget, AFlippedWitnessBitBreaksARow) {
  std::vector<std::uint8_t> message(64, 0xc3);
  const r1cs::Circuit circuit = [&](Builder& cs) { sha256(cs, alloc_bytes(cs, message)); };
  test::RowStore store;
  Builder cs(&store, r1cs::Keep::kWitness);
  circuit(cs);
  const r1cs::FlatWitness good = cs.take_flat_witness();
  std::mt19937_64 rng(3);
  for (int trial = 0; trial < 20; ++trial) {
    r1cs::FlatWitness witness = good;
    Fr& value = witness.aux[512 + rng() % (witness.aux.size() - 512)];
    value = Fr::one() - value;
    const bool broken =
        std::any_of(store.rows.begin(), store.rows.end(), [&](const auto& row) { return !row.holds(witness); });
    EXPECT_TRUE(broken);
  }
}

}  // namespace
}  // namespace proofline::gadgets
