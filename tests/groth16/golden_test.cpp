/// Keys, proofs and parameters that the reference implementation made.
#include <gtest/gtest.h>

#include <algorithm>

#include "groth16/parameters.hpp"
#include "groth16/verify.hpp"
#include "support/indices.hpp"
#include "support/test_data.hpp"

namespace proofline::groth16 {
namespace {

using math::Fr;

struct Golden {
  const char* folder;
  const char* key;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.folder;
}

class GoldenProof : public testing::TestWithParam<Golden> {};

TEST_P(GoldenProof, VerifiesWithItsKeyAndFailsWithOneChangedInput) {
  const std::string folder = std::string("proofs/") + GetParam().folder + "/";
  const VerifyingKey plain = read_verifying_key(test::data_path(std::string("keys/v28-") + GetParam().key + ".vk"));
  const PreparedVerifyingKey key(plain);
  std::vector<Fr> inputs;
  const auto stats = test::read_json(test::data_path(folder + "circuit-p0.stats.json"));
  for (const auto& hex : stats.at("inputs")) {
    const auto bytes = test::unhex(hex.get<std::string>());
    inputs.push_back(*Fr::from_bytes(std::span<const std::uint8_t, 32>(bytes.data(), 32)));
  }
  ASSERT_EQ(inputs[0], Fr::one());
  inputs.erase(inputs.begin());
  const auto bytes = test::read_bytes(test::data_path(folder + "proof.bin"));
  const std::vector<Proof> proofs = proofs_from_bytes(bytes, "proof.bin");
  ASSERT_EQ(proofs.size(), 1U);
  EXPECT_TRUE(verify(key, inputs, proofs[0]));
  EXPECT_EQ(proofs_to_bytes(proofs), bytes);
  EXPECT_TRUE(verify_batch(key, std::vector<Claim>(3, Claim{inputs, proofs[0]}), Executor(2)));
  for (Fr& input : inputs) {
    input += Fr::one();
    EXPECT_FALSE(verify(key, inputs, proofs[0]));
    input -= Fr::one();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GoldenProof,
    testing::Values(Golden{"2k-1",
                           "stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
                           "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f"},
                    Golden{"winning-2k-1",
                           "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                           "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e"},
                    Golden{"window-2k-1",
                           "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                           "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0"},
                    Golden{"update-2k-1",
                           "empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                           "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194"}));

constexpr const char* kWindowParameters =
    "params/v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params";

TEST(GoldenParameters, OfWindowPostLoadAndHoldOnlyGoodPoints) {
  const MappedParameters parameters(test::data_path(kWindowParameters));
  auto path = test::data_path(kWindowParameters);
  const std::string key_name = path.stem().string() + ".vk";
  EXPECT_EQ(parameters.verifying_key(), read_verifying_key(test::data_path("keys") / key_name));
  EXPECT_NO_THROW(parameters.check_points(math::PointCheck::kSubgroup, Executor(2), no_progress()));
}

template <class Affine>
void append_query(std::vector<std::uint8_t>& out, const std::vector<Affine>& points) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(points.size() >> shift));
  for (const Affine& point : points) {
    const auto bytes = point.to_uncompressed();
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
}

TEST(GoldenParameters, EncodeAgainToTheSameBytes) {
  const MappedParameters parameters(test::data_path(kWindowParameters));
  std::vector<std::uint8_t> out = parameters.verifying_key().to_bytes();
  for (const QueryLocation* query : {&parameters.h(), &parameters.l(), &parameters.a(), &parameters.b_g1()}) {
    std::vector<math::G1Affine> points(query->count);
    parameters.read_g1 (*query)(test::first_indices(points.size()), points);
    append_query(out, points);
  }
  std::vector<math::G2Affine> points(parameters.b_g2().count);
  parameters.read_g2(parameters.b_g2())(test::first_indices(points.size()), points);
  append_query(out, points);
  EXPECT_TRUE(std::ranges::equal(out, parameters.bytes()));
}

TEST(GoldenParameters, VerifyingKeyIsWrittenAsItWasRead) {
  for (const auto& entry : std::filesystem::directory_iterator(test::data_path("keys"))) {
    EXPECT_EQ(read_verifying_key(entry.path()).to_bytes(), test::read_bytes(entry.path()));
  }
}

TEST(PublishedList, GivesTheDigestOfKnownNames) {
  const auto list = test::data_path("params/parameters.json");
  const auto json = test::read_json(list);
  for (const auto& [name, entry] : json.items()) EXPECT_EQ(published_digest(list, name), entry.at("digest"));
  EXPECT_EQ(published_digest(list, "unknown.params"), "");
}

}  // namespace
}  // namespace proofline::groth16
