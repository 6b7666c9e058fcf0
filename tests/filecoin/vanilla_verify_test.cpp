#include "filecoin/vanilla_verify.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/placeholder_proof.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "filecoin/vanilla_json.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

VanillaProof golden(const std::string& sector = "2k-1") {
  return read_c1_file(test::data_path("sectors/" + sector + "/c1.json")).proof;
}

/// The message of the InputError that verification throws.
std::string rejection(const VanillaProof& proof, const Executor& exec = Executor(1)) {
  try {
    verify_vanilla(proof, "some.json", exec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VanillaVerify, AcceptsTheReferencesProofs) {
  for (const std::string sector : {"2k-1", "2k-2", "2kv1-4", "8m-6-cc"}) {
    EXPECT_EQ(rejection(golden(sector)), "accepted") << sector;
    EXPECT_EQ(rejection(golden(sector), Executor(2)), "accepted") << sector;
  }
}

/// Calls use(field, value) for every field element of a proof.
void each_element(VanillaProof& proof, const std::function<void(const std::string&, Fr&)>& use) {
  const auto all = [&](const std::string& field, std::vector<Fr>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) use(field + "[" + std::to_string(i) + "]", values[i]);
  };
  const auto merkle = [&](const std::string& field, MerkleProof& path) {
    use(field + ".root", path.root);
    use(field + ".leaf", path.leaf);
    for (std::size_t i = 0; i < path.path.size(); ++i)
      all(field + ".path[" + std::to_string(i) + "]", path.path[i].siblings);
  };
  const auto column = [&](const std::string& field, ColumnProof& opened) {
    all(field + ".rows", opened.rows);
    merkle(field + ".inclusion", opened.inclusion);
  };
  use("comm_r", proof.comm_r);
  use("comm_d", proof.comm_d);
  use("replica_id", proof.replica_id);
  for (auto& partition : proof.partitions) {
    for (std::size_t i = 0; i < partition.size(); ++i) {
      const std::string field = "[" + std::to_string(i) + "]";
      ChallengeProof& challenge = partition[i];
      merkle(field + ".comm_d_proofs", challenge.comm_d_proof);
      merkle(field + ".comm_r_last_proof", challenge.comm_r_last_proof);
      column(field + ".c_x", challenge.c_x);
      for (ColumnProof& parent : challenge.drg_parents) column(field + ".drg_parents", parent);
      for (ColumnProof& parent : challenge.expander_parents) column(field + ".exp_parents", parent);
      for (LabelingProof& labeling : challenge.labeling_proofs) all(field + ".labeling_proofs", labeling.parents);
      all(field + ".encoding_proof", challenge.encoding_proof.parents);
    }
  }
}

TEST(VanillaVerify, EveryFieldElementCounts) {
  VanillaProof proof = golden();
  unsigned elements = 0;
  each_element(proof, [&](const std::string& field, Fr& value) {
    const Fr right = value;
    value += Fr::power_of_two(elements % 254);
    EXPECT_THAT(rejection(proof),
                AllOf(StartsWith("some.json: vanilla_proofs.StackedDrg2KiBV1[0]"), HasSubstr("expected")))
        << field;
    value = right;
    ++elements;
  });
  EXPECT_EQ(elements, 3U + 2 * (8 + 16 + 15 * 18 + 3 * 37));
  EXPECT_EQ(rejection(proof), "accepted");
}

TEST(VanillaVerify, EverySeedBitCounts) {
  VanillaProof proof = golden();
  for (std::size_t bit = 0; bit < 256; bit += 5) {
    proof.seed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_THAT(rejection(proof), HasSubstr("expected the path of leaf ")) << bit;
    proof.seed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
  }
}

struct Defect {
  std::string name;
  std::function<void(VanillaProof&)> make;
  std::string message;
};

class VerifyDefects : public testing::TestWithParam<Defect> {};

TEST_P(VerifyDefects, IsNamedWithItsField) {
  VanillaProof proof = golden();
  GetParam().make(proof);
  EXPECT_THAT(rejection(proof), StartsWith("some.json: " + GetParam().message));
  EXPECT_THAT(rejection(proof, Executor(2)), StartsWith("some.json: " + GetParam().message));
}

/// Changes the second challenge.
std::function<void(VanillaProof&)> second(const std::function<void(ChallengeProof&)>& change) {
  return [=](VanillaProof& proof) { change(proof.partitions[0][1]); };
}

const std::string kAt = "vanilla_proofs.StackedDrg2KiBV1[0][1]";

INSTANTIATE_TEST_SUITE_P(
    VanillaVerify, VerifyDefects,
    testing::Values(
        Defect{"Synthetic",
               [](VanillaProof& p) {
                 p.registered_proof = seal_proof_info("StackedDrg2KiBV1_1_Feat_SyntheticPoRep").proof;
               },
               "vanilla_proofs.StackedDrg2KiBV1[0]["},
        Defect{"OtherVersion", [](VanillaProof& p) { p.registered_proof = seal_proof_info("StackedDrg2KiBV1").proof; },
               "vanilla_proofs.StackedDrg2KiBV1[0]["},
        Defect{"CommR", [](VanillaProof& p) { p.comm_r += Fr::one(); },
               "vanilla_proofs.StackedDrg2KiBV1[0][0]: roots of c_x and comm_r_last_proof hash to "},
        Defect{"CommD", [](VanillaProof& p) { p.comm_d += Fr::one(); },
               "vanilla_proofs.StackedDrg2KiBV1[0][0].comm_d_proofs root (node 23): expected "},
        Defect{"ChallengesSwapped", [](VanillaProof& p) { std::swap(p.partitions[0][0], p.partitions[0][1]); },
               "vanilla_proofs.StackedDrg2KiBV1[0]["},
        Defect{"Count", second([](ChallengeProof& c) { c.c_x.rows.pop_back(); }),
               kAt + ".replica_column_proofs.c_x.column.rows: expected 2 labels"},
        Defect{"DataSibling", second([](ChallengeProof& c) { c.comm_d_proof.path[3].siblings[0] += Fr::one(); }),
               kAt + ".comm_d_proofs: end of the path (node "},
        Defect{"DataPosition", second([](ChallengeProof& c) { c.comm_d_proof.path[3].index ^= 1; }),
               kAt + ".comm_d_proofs (node "},
        Defect{"ReplicaRoot", second([](ChallengeProof& c) { c.comm_r_last_proof.root += Fr::one(); }),
               kAt + ".comm_r_last_proof root (node "},
        Defect{"ReplicaPosition", second([](ChallengeProof& c) {
                 c.comm_r_last_proof.path[1].index = (c.comm_r_last_proof.path[1].index + 1) % 8;
               }),
               kAt + ".comm_r_last_proof (node "},
        Defect{"ColumnIndex", second([](ChallengeProof& c) { c.c_x.index ^= 1; }),
               kAt + ".replica_column_proofs.c_x.column.index (node "},
        Defect{"ColumnRow", second([](ChallengeProof& c) { c.c_x.rows[0] += Fr::one(); }),
               kAt + ".replica_column_proofs.c_x.inclusion_proof leaf (node "},
        Defect{"ParentsSwapped", second([](ChallengeProof& c) { std::swap(c.drg_parents[0], c.drg_parents[1]); }),
               kAt + ".replica_column_proofs.drg_parents[0].column.index (node "},
        Defect{"ExpanderParentsPath",
               second([](ChallengeProof& c) { c.expander_parents[7].inclusion.path[0].siblings[6] += Fr::one(); }),
               kAt + ".replica_column_proofs.exp_parents[7].inclusion_proof: end of the path (node "},
        Defect{"LabelingNode", second([](ChallengeProof& c) { c.labeling_proofs[1].node ^= 1; }),
               kAt + ".labeling_proofs[1].node (node "},
        Defect{"LabelingParents", second([](ChallengeProof& c) { c.labeling_proofs[1].parents[36] += Fr::one(); }),
               kAt + ".labeling_proofs[1].parents[36] (node "},
        Defect{"EncodingNode", second([](ChallengeProof& c) { c.encoding_proof.node ^= 1; }),
               kAt + ".encoding_proof.node (node "},
        Defect{"EncodingParents", second([](ChallengeProof& c) { c.encoding_proof.parents[0] += Fr::one(); }),
               kAt + ".encoding_proof.parents[0] (node "}),
    [](const auto& instance) { return instance.param.name; });

TEST(VanillaVerify, ReplicaIdDecidesTheLabels) {
  VanillaProof proof = golden();
  // The challenges depend on it, too: look for another one with the same challenges.
  const VanillaProof right = proof;
  for (int i = 0; i < 200'000; ++i) {
    proof.replica_id += Fr::one();
    const std::string message = rejection(proof);
    ASSERT_NE(message, "accepted");
    if (message.find("the path of leaf") != std::string::npos) continue;
    EXPECT_THAT(message, HasSubstr("[0][0].labeling_proofs[0]: label (node 23): expected"));
    return;
  }
  FAIL() << "no other replica id has these challenges";
}

TEST(VanillaVerify, LargeSectors) {
  for (const std::string name : {"StackedDrg512MiBV1", "StackedDrg32GiBV1_1", "StackedDrg64GiBV1_1"}) {
    VanillaProof proof = synthesize_sector(seal_proof_info(name), 0, Executor(2), no_progress());
    EXPECT_EQ(rejection(proof, Executor(2)), "accepted") << name;
    // At the last level of the partition's last path.
    ChallengeProof& last = proof.partitions.front().back();
    last.expander_parents.back().inclusion.path.back().siblings.back() += Fr::one();
    EXPECT_THAT(rejection(proof), HasSubstr("[0][" + std::to_string(proof.partitions.front().size() - 1) +
                                            "].replica_column_proofs.exp_parents[7].inclusion_proof: end of the path"))
        << name;
  }
}

TEST(VanillaVerify, MeaninglessValuesOfALargeSectorAreRejected) {
  EXPECT_THAT(rejection(test::placeholder_proof("StackedDrg32GiBV1_1")),
              StartsWith("some.json: vanilla_proofs.StackedDrg32GiBV1[0][0]: roots of c_x and comm_r_last_proof hash"));
}

TEST(VanillaVerify, OnePartitionAlone) {
  const VanillaProof proof = synthesize_sector(seal_proof_info("StackedDrg32GiBV1_1"), 0, Executor(2), no_progress());
  const auto rejection = [&](std::size_t k, std::span<const ChallengeProof> challenges) -> std::string {
    try {
      verify_vanilla_partition(proof, k, challenges, "some.json", Executor(2));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(rejection(9, proof.partitions[9]), "accepted");
  EXPECT_THAT(rejection(9, proof.partitions[8]), AllOf(StartsWith("some.json: vanilla_proofs.StackedDrg32GiBV1[9]["),
                                                       HasSubstr("expected the path of leaf ")));
  EXPECT_EQ(rejection(3, std::span(proof.partitions[3]).first(17)),
            "some.json: vanilla_proofs.StackedDrg32GiBV1[3]: expected 18 challenges, got 17");
  EXPECT_NE(rejection(10, proof.partitions[9]), "accepted");
}

}  // namespace
}  // namespace proofline::filecoin
