/// Proofs of sector updates: the reference's with its key, ours with parameters made here.
#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/update_circuit.hpp"
#include "filecoin/update_inputs.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

const Executor kTwo(2);

/// Whether a proof's bytes, some bits of them changed, still verify.
bool holds(const groth16::PreparedVerifyingKey& key, const std::vector<Fr>& inputs,
           std::span<const std::uint8_t> bytes) {
  try {
    return groth16::verify(key, inputs, groth16::proofs_from_bytes(bytes, "proof").front());
  } catch (const InputError&) {
    return false;
  }
}

void expect_only_this_proof(const groth16::PreparedVerifyingKey& key, const std::vector<Fr>& inputs,
                            std::vector<std::uint8_t> bytes) {
  EXPECT_TRUE(holds(key, inputs, bytes));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 61) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    EXPECT_FALSE(holds(key, inputs, bytes)) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<Fr> changed = inputs;
    changed[i] += Fr::one();
    EXPECT_FALSE(holds(key, changed, bytes)) << "input " << i;
  }
}

TEST(UpdateProve, TheReferencesProofHoldsForDerivedInputs) {
  const groth16::PreparedVerifyingKey key(groth16::read_verifying_key(
      test::data_path("keys/v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                      "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.vk")));
  expect_only_this_proof(key, update_public_inputs(test::golden_update_statement(), 0),
                         test::read_bytes(test::data_path("proofs/update-2k-1/proof.bin")));
}

TEST(UpdateProve, OurProofsHoldWithOurParameters) {
  const proofline::test::TempFolder folder;
  const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(update_shape(2048)));
  groth16::generate_parameters(circuit, groth16::ToxicWaste::random(), folder / "update.params", kTwo, no_progress());
  const auto parameters = std::make_shared<const groth16::MappedParameters>(folder / "update.params");
  const groth16::PreparedVerifyingKey key(parameters->verifying_key());
  const auto prove = [&](const UpdateStatement& about, const UpdatePartitionProof& vanilla) {
    auto witness = r1cs::generate_witness(update_circuit(update_partition(about, 0, vanilla)), kTwo);
    const std::vector<groth16::Proof> proofs{
        groth16::prove(circuit, std::move(witness), parameters, groth16::Blinding::random(), kTwo)};
    return groth16::proofs_to_bytes(proofs);
  };
  const UpdateStatement about = test::golden_update_statement();
  UpdatePartitionProof vanilla = test::golden_update_proof();
  expect_only_this_proof(key, update_public_inputs(about, 0), prove(about, vanilla));

  vanilla.challenges[1].d_new.leaf += Fr::one();
  EXPECT_THROW(prove(about, vanilla), UnsatisfiedError);
}

}  // namespace
}  // namespace proofline::filecoin
