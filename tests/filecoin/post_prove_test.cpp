#include "filecoin/post_prove.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/synthetic_post.hpp"
#include "groth16/setup.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Executor kExec(2);

const std::string kWindowStem =
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0";
const std::string kWinningStem =
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e";

groth16::PreparedVerifyingKey golden_key(const std::string& post) {
  const std::string& stem = post.starts_with("winning") ? kWinningStem : kWindowStem;
  return groth16::PreparedVerifyingKey(groth16::read_verifying_key(test::data_path("keys/" + stem + ".vk")));
}

std::shared_ptr<const groth16::MappedParameters> window_parameters() {
  return std::make_shared<const groth16::MappedParameters>(test::data_path("params/" + kWindowStem + ".params"));
}

TEST(PostVerify, TheReferencesProofsHoldForTheirStatementsOnly) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    const auto key = golden_key(name);
    const auto proofs =
        groth16::proofs_from_bytes(test::read_bytes(test::data_path("proofs/" + name + "/proof.bin")), "proof.bin");
    EXPECT_TRUE(verify_post(post.statement, proofs, key, kExec)) << name;
    PostStatement other = post.statement;
    other.randomness[0] ^= 1;
    EXPECT_FALSE(verify_post(other, proofs, key, kExec));
    other = post.statement;
    other.sectors.back().id += 1;
    EXPECT_FALSE(verify_post(other, proofs, key, kExec));
    other = post.statement;
    other.sectors.back().comm_r += math::Fr::one();
    EXPECT_FALSE(verify_post(other, proofs, key, kExec));
  }
}

TEST(PostVerify, TheNumberOfProofsMustBeThatOfPartitions) {
  const test::GoldenPost post("window-2k-1");
  const auto key = golden_key(post.name);
  auto proofs =
      groth16::proofs_from_bytes(test::read_bytes(test::data_path("proofs/window-2k-1/proof.bin")), "proof.bin");
  proofs.push_back(proofs[0]);
  EXPECT_THAT([&] { verify_post(post.statement, proofs, key, kExec); },
              ThrowsMessage<InputError>(HasSubstr("1 proofs expected for 2 sectors, got 2")));
  EXPECT_THROW(verify_post(post.statement, {proofs.data(), 1}, golden_key("winning-2k-1"), kExec), InputError);
}

TEST(PostProve, TheReferencesParametersProveAndItsKeyVerifies) {
  const test::GoldenPost post("window-2k-1");
  const r1cs::StructuredR1cs circuit = record_post(post.statement.shape);
  const groth16::Proof proof = prove_post_partition(post.statement, 0, post.vanilla(), "vanilla", circuit,
                                                    window_parameters(), groth16::Blinding::random(), kExec);
  const auto key = golden_key(post.name);
  EXPECT_TRUE(verify_post(post.statement, {&proof, 1}, key, kExec));
  const auto good = proof.to_bytes();
  for (const std::size_t bit : {3U, 200U, 500U, 900U, 1300U, 1500U}) {
    auto bytes = good;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    try {
      const groth16::Proof changed = groth16::Proof::from_bytes(bytes, "changed");
      EXPECT_FALSE(verify_post(post.statement, {&changed, 1}, key, kExec)) << bit;
    } catch (const InputError&) {
    }
  }
}

TEST(PostProve, SeveralPartitionsOneAfterAnother) {
  const PostShape shape = post_shape(PostKind::kWindow, sector_shape("2KiB"));
  std::vector<PostSectorProof> vanilla;
  const PostStatement statement = synthesize_post(
      shape, ApiVersion::kV1_1, 3, 5, [&](const PostSectorProof& proof) { vanilla.push_back(proof); }, kExec,
      no_progress());
  const r1cs::StructuredR1cs circuit = record_post(shape);
  std::vector<groth16::Proof> proofs;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto part = std::span(vanilla).subspan(2 * k, k == 2 ? 1 : 2);
    proofs.push_back(prove_post_partition(statement, k, {part.begin(), part.end()}, "vanilla", circuit,
                                          window_parameters(), groth16::Blinding::random(), kExec));
  }
  const auto key = golden_key("window-2k-1");
  EXPECT_TRUE(verify_post(statement, proofs, key, kExec));
  EXPECT_EQ(groth16::proofs_to_bytes(proofs).size(), 3 * 192U);
  std::swap(proofs[0], proofs[1]);
  EXPECT_FALSE(verify_post(statement, proofs, key, kExec));
}

TEST(PostProve, OwnParametersOfBothKinds) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    const test::TempFolder folder;
    const r1cs::StructuredR1cs circuit = record_post(post.statement.shape);
    const groth16::PreparedVerifyingKey key(groth16::generate_parameters(
        circuit, groth16::ToxicWaste::insecure_from_seed(1), folder / "post.params", kExec, no_progress()));
    const groth16::Proof proof = prove_post_partition(
        post.statement, 0, post.vanilla(), "vanilla", circuit,
        std::make_shared<const groth16::MappedParameters>(folder / "post.params"), groth16::Blinding::random(), kExec);
    EXPECT_TRUE(verify_post(post.statement, {&proof, 1}, key, kExec));
    EXPECT_FALSE(verify_post(post.statement, {&proof, 1}, golden_key(name), kExec));
  }
}

TEST(PostProve, BadVanillaProofsAndOtherParametersAreRefused) {
  const test::GoldenPost post("window-2k-1");
  const r1cs::StructuredR1cs circuit = record_post(post.statement.shape);
  const auto prove = [&](const PostStatement& statement, std::vector<PostSectorProof> vanilla) {
    prove_post_partition(statement, 0, std::move(vanilla), "vanilla", circuit, window_parameters(),
                         groth16::Blinding::random(), kExec);
  };
  auto vanilla = post.vanilla();
  vanilla[0].inclusion_proofs[0].leaf += math::Fr::one();
  EXPECT_THAT([&] { prove(post.statement, vanilla); },
              ThrowsMessage<InputError>(HasSubstr("sector 1: inclusion_proofs[0]")));
  const test::GoldenPost winning("winning-2k-1");
  const r1cs::StructuredR1cs other = record_post(winning.statement.shape);
  EXPECT_THROW(prove_post_partition(winning.statement, 0, winning.vanilla(), "vanilla", other, window_parameters(),
                                    groth16::Blinding::random(), kExec),
               InputError);
}

}  // namespace
}  // namespace proofline::filecoin
