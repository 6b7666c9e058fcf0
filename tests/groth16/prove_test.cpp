#include "groth16/prove.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "groth16/quotient.hpp"
#include "math/ntt.hpp"
#include "small_circuit.hpp"

namespace proofline::groth16 {
namespace {

using math::Fr;
using test::cubic;
using test::cubic_output;

class Prove : public testing::Test {
 protected:
  void SetUp() override {
    generate_parameters(test::recorded_cubic(0), ToxicWaste::random(), folder_ / "p.params", exec_, no_progress());
    parameters_ = std::make_shared<MappedParameters>(folder_ / "p.params");
  }
  Proof prove_cubic(std::uint64_t x) { return test::prove_circuit(cubic(x), parameters_, Blinding::random(), exec_); }

  test::TempFolder folder_;
  Executor exec_{2};
  std::shared_ptr<const MappedParameters> parameters_;
};

TEST_F(Prove, ProofsVerifyForTheirInputsOnly) {
  const PreparedVerifyingKey key(parameters_->verifying_key());
  for (const std::uint64_t x : {0U, 1U, 3U, 12345U}) {
    const Proof proof = prove_cubic(x);
    const Fr good[] = {cubic_output(x)};
    const Fr bad[] = {cubic_output(x) + Fr::one()};
    EXPECT_TRUE(verify(key, good, proof));
    EXPECT_FALSE(verify(key, bad, proof));
  }
}

TEST_F(Prove, InputsOfAnotherNumberAreRefused) {
  const PreparedVerifyingKey key(parameters_->verifying_key());
  const Proof proof = prove_cubic(3);
  const std::vector<Fr> two(2);
  EXPECT_THROW(verify(key, two, proof), InputError);
  EXPECT_THROW(verify(key, {}, proof), InputError);
}

TEST_F(Prove, EveryFlippedBitIsRejected) {
  const PreparedVerifyingKey key(parameters_->verifying_key());
  const Fr inputs[] = {cubic_output(3)};
  const auto bytes = prove_cubic(3).to_bytes();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto changed = bytes;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ (1U << (bit % 8)));
    bool accepted = false;
    try {
      accepted = verify(key, inputs, Proof::from_bytes(changed, "changed"));
    } catch (const InputError&) {
    }
    EXPECT_FALSE(accepted) << "bit " << bit;
  }
}

TEST_F(Prove, BlindingHidesTheWitness) {
  EXPECT_FALSE(prove_cubic(3) == prove_cubic(3));
  const auto fixed = [&] {
    return test::prove_circuit(cubic(3), parameters_, Blinding::insecure_for_tests(Fr::from_u64(7), Fr::from_u64(9)),
                               exec_);
  };
  EXPECT_EQ(fixed(), fixed());
}

TEST_F(Prove, ThreadsDoNotChangeTheProof) {
  const auto with = [&](unsigned threads) {
    return test::prove_circuit(cubic(5), parameters_, Blinding::insecure_for_tests(Fr::from_u64(7), Fr::from_u64(9)),
                               Executor(threads));
  };
  EXPECT_EQ(with(1), with(3));
}

TEST_F(Prove, AnUnsatisfiedWitnessIsNamedByItsPath) {
  try {
    test::prove_circuit(cubic(3, 3, /*wrong=*/true), parameters_, Blinding::random(), exec_);
    FAIL() << "expected UnsatisfiedError";
  } catch (const UnsatisfiedError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("constraint 2 at cubic"));
  }
}

TEST_F(Prove, ParametersOfAnotherCircuitAreRefused) {
  try {
    test::prove_circuit(cubic(3, 4), parameters_, Blinding::random(), exec_);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("p.params"), testing::HasSubstr("another circuit"),
                                             testing::HasSubstr("aux variables")));
  }
}

TEST_F(Prove, BatchesHoldOnlyWhenAllClaimsDo) {
  const PreparedVerifyingKey key(parameters_->verifying_key());
  std::vector<Claim> claims;
  EXPECT_TRUE(verify_batch(key, claims, exec_));
  for (std::uint64_t x = 0; x < 5; ++x) claims.push_back({{cubic_output(x)}, prove_cubic(x)});
  EXPECT_TRUE(verify_batch(key, claims, exec_));
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto changed = claims;
    changed[i].inputs[0] += Fr::one();
    EXPECT_FALSE(verify_batch(key, changed, exec_)) << i;
  }
  std::swap(claims[0].proof, claims[1].proof);
  EXPECT_FALSE(verify_batch(key, claims, exec_));
}

TEST(Setup, RefusesAVariableInNoRow) {
  const test::TempFolder folder;
  const r1cs::Circuit loose = [](r1cs::Builder& cs) {
    cubic(0)(cs);
    cs.alloc(Fr::one());
  };
  try {
    generate_parameters(r1cs::record(loose), ToxicWaste::random(), folder / "p.params", Executor(1), no_progress());
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("aux variable 6"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Setup, SeededParametersAreReproducibleAndRandomOnesAreNot) {
  const test::TempFolder folder;
  const auto key = [&](const ToxicWaste& waste) {
    return generate_parameters(test::recorded_cubic(0), waste, folder / "p.params", Executor(2), no_progress());
  };
  EXPECT_EQ(key(ToxicWaste::insecure_from_seed(1)), key(ToxicWaste::insecure_from_seed(1)));
  EXPECT_FALSE(key(ToxicWaste::insecure_from_seed(1)) == key(ToxicWaste::insecure_from_seed(2)));
  EXPECT_FALSE(key(ToxicWaste::random()) == key(ToxicWaste::random()));
}

TEST(Quotient, TimesTheVanishingPolynomialIsTheDifference) {
  // At a random point z: h(z) * (z^n - 1) = a(z) b(z) - c(z), with polynomials by naive interpolation.
  const Executor exec(2);
  for (const unsigned log_size : {0U, 1U, 3U, 6U}) {
    const math::Domain domain(log_size, exec);
    std::vector<Fr> a, b, c;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      a.push_back(Fr::random());
      b.push_back(Fr::random());
      c.push_back(a.back() * b.back());
    }
    const Fr z = Fr::random();
    std::vector<Fr> lagrange(domain.size());
    domain.lagrange_at(z, lagrange, exec);
    const auto at_z = [&](const std::vector<Fr>& values) {
      Fr sum;
      for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * lagrange[i];
      return sum;
    };
    const Fr expected = at_z(a) * at_z(b) - at_z(c);
    const LargeArray<Fr> h = quotient(
        [&](r1cs::Matrix matrix, std::span<Fr> out) {
          std::ranges::copy(matrix == r1cs::Matrix::kA ? a : matrix == r1cs::Matrix::kB ? b : c, out.begin());
        },
        log_size, exec);
    ASSERT_EQ(h.size(), domain.size() - 1);
    Fr value;
    for (std::size_t i = h.size(); i-- > 0;) value = value * z + h[i];
    EXPECT_EQ(value * domain.vanishing(z), expected) << log_size;
  }
}

}  // namespace
}  // namespace proofline::groth16
