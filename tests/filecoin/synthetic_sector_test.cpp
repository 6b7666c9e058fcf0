#include "filecoin/synthetic_sector.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;

VanillaProof synthesize(std::string_view name, std::uint64_t seed, unsigned threads = 1) {
  return synthesize_sector(seal_proof_info(name), seed, Executor(threads), no_progress());
}

/// The message of the InputError that verification throws.
std::string rejection(const VanillaProof& proof) {
  try {
    verify_vanilla(proof, "synthetic", Executor(2));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Gadget path of the first row of the 2 KiB circuit that the sector breaks; empty when there is none.
std::string first_broken_row(const VanillaProof& proof) {
  static const r1cs::StructuredR1cs circuit = r1cs::record(porep_shape_circuit(sector_shape("2KiB")));
  const Executor exec(2);
  const auto witness = r1cs::generate_witness(porep_circuit(porep_partition(proof, 0)), exec);
  const auto row = r1cs::first_broken_row(circuit, witness, exec);
  return row ? circuit.path_of_row(*row) : "";
}

bool repeats_a_challenge(const VanillaProof& proof) {
  const auto& challenges = proof.partitions[0];
  return challenges[0].c_x.index == challenges[1].c_x.index;
}

bool challenges_a_parent(const VanillaProof& proof, std::vector<ColumnProof> ChallengeProof::*parents) {
  const auto& challenges = proof.partitions[0];
  const auto is_parent = [&](const ChallengeProof& of, std::uint32_t node) {
    return std::ranges::count(of.*parents, node, &ColumnProof::index) != 0;
  };
  return is_parent(challenges[0], challenges[1].c_x.index) || is_parent(challenges[1], challenges[0].c_x.index);
}

TEST(SyntheticSector, TheSameSeedGivesTheSameFile) {
  const std::string text = write_c1(synthesize("StackedDrg2KiBV1_1", 1));
  EXPECT_EQ(write_c1(synthesize("StackedDrg2KiBV1_1", 1, 2)), text);
  EXPECT_NE(write_c1(synthesize("StackedDrg2KiBV1_1", 2)), text);
  EXPECT_EQ(write_c1(parse_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "c1").proof), text);
}

TEST(SyntheticSector, EverythingDependsOnTheSeed) {
  std::set<Bytes32> seen;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63}) {
    const VanillaProof proof = synthesize("StackedDrg8MiBV1_1", seed);
    const SectorIds ids = synthetic_ids(seed);
    EXPECT_EQ(proof.ticket, ids.ticket);
    EXPECT_EQ(proof.seed, ids.seed);
    EXPECT_EQ(proof.replica_id.to_bytes(), replica_id(ids.prover_id, ids.sector_id, ids.ticket, proof.comm_d.to_bytes(),
                                                      seal_proof_info(proof.registered_proof).porep_id));
    const ChallengeProof& challenge = proof.partitions[0][0];
    const std::vector<Bytes32> values{proof.ticket,
                                      proof.seed,
                                      ids.prover_id,
                                      proof.replica_id.to_bytes(),
                                      proof.comm_d.to_bytes(),
                                      proof.comm_r.to_bytes(),
                                      challenge.comm_d_proof.leaf.to_bytes(),
                                      challenge.comm_r_last_proof.leaf.to_bytes(),
                                      challenge.comm_r_last_proof.path[0].siblings[0].to_bytes(),
                                      challenge.c_x.inclusion.path[0].siblings[0].to_bytes(),
                                      challenge.drg_parents[0].rows[0].to_bytes()};
    for (const Bytes32& value : values) EXPECT_TRUE(seen.insert(value).second) << seed;
    EXPECT_LT(challenge.comm_d_proof.leaf.to_bytes()[31], 0x40);
  }
}

// So few nodes that parents are shared and challenged, and challenges repeated.
TEST(SyntheticSector, HoldsForManySeedsAt2KiB) {
  for (const std::string_view name : {"StackedDrg2KiBV1", "StackedDrg2KiBV1_1"}) {
    unsigned repeated = 0;
    unsigned drg_parent = 0;
    unsigned expander_parent = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const VanillaProof proof = synthesize(name, seed);
      ASSERT_EQ(rejection(proof), "accepted") << name << " " << seed;
      repeated += repeats_a_challenge(proof) ? 1 : 0;
      drg_parent += challenges_a_parent(proof, &ChallengeProof::drg_parents) ? 1 : 0;
      expander_parent += challenges_a_parent(proof, &ChallengeProof::expander_parents) ? 1 : 0;
    }
    EXPECT_GT(repeated, 0U) << name;
    EXPECT_GT(drg_parent, 5U) << name;
    EXPECT_GT(expander_parent, 5U) << name;
  }
}

TEST(SyntheticSector, HoldsAtLargerSizes) {
  for (const std::string_view name :
       {"StackedDrg8MiBV1", "StackedDrg8MiBV1_1", "StackedDrg512MiBV1", "StackedDrg512MiBV1_1"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_EQ(rejection(synthesize(name, seed)), "accepted") << name;
  }
}

/// The first seed whose sector has the property.
VanillaProof first_with(std::string_view name, const std::function<bool(const VanillaProof&)>& property) {
  for (std::uint64_t seed = 0;; ++seed) {
    VanillaProof proof = synthesize(name, seed);
    if (property(proof)) return proof;
  }
}

TEST(SyntheticSector, SatisfiesTheCircuit) {
  const auto challenged_drg_parent = [](const VanillaProof& proof) {
    return challenges_a_parent(proof, &ChallengeProof::drg_parents);
  };
  for (std::uint64_t seed = 0; seed < 15; ++seed)
    EXPECT_EQ(first_broken_row(synthesize("StackedDrg2KiBV1_1", seed)), "") << seed;
  EXPECT_EQ(first_broken_row(first_with("StackedDrg2KiBV1", challenged_drg_parent)), "");
  EXPECT_EQ(first_broken_row(first_with("StackedDrg2KiBV1_1", repeats_a_challenge)), "");
}

TEST(SyntheticSector, ATamperedLabelIsRejected) {
  const VanillaProof right = synthesize("StackedDrg2KiBV1_1", 4);
  VanillaProof proof = right;
  proof.partitions[0][0].c_x.rows[1] += Fr::one();
  EXPECT_THAT(rejection(proof), HasSubstr("[0][0].replica_column_proofs.c_x.inclusion_proof leaf"));

  proof = right;
  proof.partitions[0][1].labeling_proofs[1].parents[7] += Fr::one();
  EXPECT_THAT(rejection(proof), HasSubstr("[0][1].labeling_proofs[1].parents[7]"));

  proof = right;
  proof.partitions[0][1].drg_parents[2].rows[0] += Fr::one();
  EXPECT_THAT(rejection(proof), HasSubstr("[0][1].replica_column_proofs.drg_parents[2].inclusion_proof leaf"));
  EXPECT_THAT(first_broken_row(proof), HasSubstr("challenge[1]/drg_parent[2]/inclusion"));
}

TEST(SyntheticSector, OnlyInteractiveProofs) {
  EXPECT_THAT([] { synthesize("StackedDrg2KiBV1_1_Feat_SyntheticPoRep", 0); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("expected an interactive proof; StackedDrg2KiBV1_1_Feat_SyntheticPoRep is none")));
}

}  // namespace
}  // namespace proofline::filecoin
