#include "r1cs/circuit_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/left_product.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"
#include "support/test_data.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
using test::RandomCircuit;
using testing::AllOf;
using testing::HasSubstr;

class CircuitFile : public testing::Test {
 protected:
  void SetUp() override {
    save_circuit(circuit_, path_);
    good_ = test::read_bytes(path_);
  }
  void write(const std::vector<std::uint8_t>& bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::string error_of(const std::vector<std::uint8_t>& bytes) const {
    write(bytes);
    try {
      load_circuit(path_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  /// The bytes with a checksum that is right.
  static std::vector<std::uint8_t> sealed(std::vector<std::uint8_t> bytes) {
    bytes.erase(bytes.end() - 32, bytes.end());
    const auto checksum = sha256(bytes);
    bytes.insert(bytes.end(), checksum.begin(), checksum.end());
    return bytes;
  }

  test::TempFolder folder_;
  std::filesystem::path path_ = folder_ / "c.circuit";
  StructuredR1cs circuit_ = record(RandomCircuit{.seed = 6, .instances = 12, .with_derived = true}, 60);
  std::vector<std::uint8_t> good_;
};

TEST_F(CircuitFile, ComesBackAsItWas) {
  const StructuredR1cs back = load_circuit(path_);
  EXPECT_EQ(back.shape(), circuit_.shape());
  EXPECT_EQ(digest(back), digest(circuit_));
  EXPECT_EQ(*back.kinds, *circuit_.kinds);
  EXPECT_EQ(back.used_elsewhere, circuit_.used_elsewhere);
  EXPECT_EQ(back.used_inputs, circuit_.used_inputs);
  for (std::uint64_t row = 0; row < back.num_constraints; ++row)
    ASSERT_EQ(back.path_of_row(row), circuit_.path_of_row(row));
  const CompactWitness witness =
      generate_witness(RandomCircuit{.seed = 6, .instances = 12, .with_derived = true}, Executor(1));
  EXPECT_EQ(first_broken_row(back, witness, Executor(2)), std::nullopt);
  save_circuit(back, folder_ / "again");
  EXPECT_EQ(test::read_bytes(folder_ / "again"), good_);
}

TEST_F(CircuitFile, AMissingFileIsNamed) {
  EXPECT_THROW(load_circuit(folder_ / "absent"), IoError);
}

TEST_F(CircuitFile, AnyFlippedBitIsFound) {
  for (std::size_t i = 0; i < good_.size(); i += 1 + i / 50) {
    auto changed = good_;
    changed[i] = static_cast<std::uint8_t>(changed[i] ^ (1U << (i % 8)));
    EXPECT_THAT(error_of(changed), HasSubstr("c.circuit")) << i;
  }
}

TEST_F(CircuitFile, CutAnywhereIsFound) {
  for (std::size_t size = 0; size < good_.size(); size += 1 + size / 20) {
    EXPECT_THAT(error_of({good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(size)}), HasSubstr("c.circuit"));
  }
  auto longer = good_;
  longer.push_back(0);
  EXPECT_NE(error_of(longer), "no error");
  longer.pop_back();
  longer.insert(longer.end() - 32, 0);
  EXPECT_NE(error_of(sealed(longer)), "no error");
}

TEST_F(CircuitFile, AnotherVersionAndOtherFilesAreNamedSo) {
  auto changed = good_;
  changed[6] = 1;
  EXPECT_THAT(error_of(sealed(changed)), AllOf(HasSubstr("c.circuit"), HasSubstr("version")));
  changed = good_;
  changed[0] = 'X';
  EXPECT_THAT(error_of(sealed(changed)), HasSubstr("c.circuit"));
  EXPECT_NE(error_of({}), "no error");
}

/// Damage that the checksum does not show must not pass the checks of the content: whatever loads can be used.
TEST_F(CircuitFile, WrongContentWithTheRightChecksumIsRefusedOrHarmless) {
  std::mt19937_64 rng(8);
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto changed = good_;
    const std::size_t at = 8 + rng() % (changed.size() - 40);
    for (std::size_t i = 0; i < 1 + rng() % 4 && at + i < changed.size() - 32; ++i)
      changed[at + i] = static_cast<std::uint8_t>(rng() % 3 == 0 ? 0xff : rng());
    write(sealed(changed));
    try {
      const StructuredR1cs circuit = load_circuit(path_);
      digest(circuit);
      for (std::uint64_t row = 0; row < circuit.num_constraints; ++row) circuit.path_of_row(row);
      CompactWitness zeros;
      zeros.inputs.resize(circuit.num_inputs);
      zeros.kinds = circuit.kinds;
      zeros.bits.resize(circuit.num_aux());
      zeros.fields.resize(circuit.kinds->num_stored());
      first_broken_row(circuit, zeros, Executor(1));
      const std::vector<Fr> weights(circuit.num_constraints, Fr::one());
      std::vector<Fr> sums(circuit.num_inputs + circuit.num_aux());
      left_product(circuit, weights, 0, sums.size(), {sums, {}, {}}, Executor(1));
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("c.circuit"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace proofline::r1cs
