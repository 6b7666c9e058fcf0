#include "filecoin/post_circuit.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/reference_shape.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuit_forms.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Case {
  PostKind kind;
  const char* size;
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << post_name(of.kind) << ' ' << of.size;
}

class Shapes : public testing::TestWithParam<Case> {};

TEST_P(Shapes, EqualTheReference) {
  const SectorShape& sector = sector_shape(GetParam().size);
  const r1cs::StructuredR1cs circuit = r1cs::record(post_shape_circuit(post_shape(GetParam().kind, sector)));
  const r1cs::Shape got = circuit.shape();
  test::expect_reference_shape(GetParam().kind == PostKind::kWinning ? "winning" : "window", sector.sector_size, got,
                               test::hex(r1cs::digest(circuit)));
  EXPECT_EQ(circuit.templates.size(), 1U) << "every sector is an instance of one template";

  const r1cs::StructuredR1cs repeated = record_post(post_shape(GetParam().kind, sector));
  EXPECT_EQ(repeated.shape(), got);
  EXPECT_EQ(r1cs::digest(repeated), r1cs::digest(circuit));
  EXPECT_EQ(*repeated.kinds, *circuit.kinds);
  const std::uint64_t last = got.num_constraints - 1;
  EXPECT_EQ(repeated.path_of_row(last), circuit.path_of_row(last));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Shapes,
                         testing::Values(Case{PostKind::kWinning, "2KiB"}, Case{PostKind::kWinning, "8MiB"},
                                         Case{PostKind::kWinning, "512MiB"}, Case{PostKind::kWinning, "32GiB"},
                                         Case{PostKind::kWinning, "64GiB"}, Case{PostKind::kWindow, "2KiB"},
                                         Case{PostKind::kWindow, "8MiB"}, Case{PostKind::kWindow, "512MiB"}));

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, WitnessRowsAndInputsEqualTheReference) {
  const test::GoldenPost post(GetParam());
  const std::vector<PostSectorProof> proofs = post.vanilla();
  const auto stats = post.stats();
  const test::CircuitRun run = test::run_circuit(post_circuit(post_circuit_sectors(post.statement.shape, proofs)));
  EXPECT_EQ(run.first_broken, "");
  EXPECT_EQ(test::hex(run.digest), stats.at("r1cs_sha256"));

  std::vector<std::string> inputs;
  for (const Fr& input : run.witness.inputs) inputs.push_back(test::hex(input.to_bytes()));
  EXPECT_EQ(inputs, stats.at("inputs").get<std::vector<std::string>>());
  std::vector<Fr> derived = post_public_inputs(post.statement, 0);
  derived.insert(derived.begin(), Fr::one());
  EXPECT_EQ(derived, run.witness.inputs);

  Sha256 aux;
  for (const Fr& value : run.witness.aux) aux.update(value.to_bytes());
  EXPECT_EQ(test::hex(aux.finish()), stats.at("aux_witness_sha256"));
}

TEST_P(Golden, AllFormsAreTheSame) {
  const test::GoldenPost post(GetParam());
  const std::vector<PostSectorProof> proofs = post.vanilla();
  test::expect_same_forms(post_circuit(post_circuit_sectors(post.statement.shape, proofs)));
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(test::kGoldenPosts));

TEST(PostCircuit, AChangedValueBreaksANamedRow) {
  const test::GoldenPost post("window-2k-1");
  const std::vector<PostSectorProof> proofs = post.vanilla();
  const r1cs::StructuredR1cs circuit = r1cs::record(post_shape_circuit(post.statement.shape));
  const auto broken_after = [&](auto change) {
    std::vector<PostSectorProof> changed = proofs;
    change(changed);
    const auto witness =
        r1cs::generate_witness(post_circuit(post_circuit_sectors(post.statement.shape, changed)), Executor(2));
    const auto row = r1cs::first_broken_row(circuit, witness, Executor(2));
    return row ? circuit.path_of_row(*row) : "";
  };
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_EQ(broken_after([](auto&) {}), "");
  EXPECT_THAT(broken_after([&](auto& p) { bump(p[1].sector.comm_r); }), HasSubstr("sector[1]/comm_r"));
  EXPECT_THAT(broken_after([&](auto& p) { bump(p[0].comm_c); }), HasSubstr("sector[0]/comm_r"));
  EXPECT_THAT(broken_after([&](auto& p) { bump(p[1].inclusion_proofs[9].leaf); }),
              HasSubstr("sector[1]/challenge[9]/inclusion"));
  EXPECT_THAT(broken_after([&](auto& p) { bump(p[0].inclusion_proofs[3].path[1].siblings[6]); }),
              HasSubstr("sector[0]/challenge[3]/inclusion"));
  EXPECT_THAT(broken_after([&](auto& p) { p[0].inclusion_proofs[0].path[0].index ^= 1; }),
              HasSubstr("sector[0]/challenge[0]/inclusion"));
}

TEST(PostCircuit, AMissingSectorIsTheLastOneAgain) {
  test::GoldenPost post("window-2k-1");
  const std::vector<PostSectorProof> proofs = post.vanilla();
  const std::vector<PostSectorProof> first(proofs.begin(), proofs.begin() + 1);
  post.statement.sectors.pop_back();
  const auto run = test::run_circuit(post_circuit(post_circuit_sectors(post.statement.shape, first)));
  EXPECT_EQ(run.first_broken, "");
  std::vector<Fr> derived = post_public_inputs(post.statement, 0);
  ASSERT_EQ(derived.size(), 22U);
  EXPECT_TRUE(std::equal(derived.begin(), derived.begin() + 11, derived.begin() + 11));
  derived.insert(derived.begin(), Fr::one());
  EXPECT_EQ(derived, run.witness.inputs);
}

TEST(PostCircuit, WrongCountsAreErrors) {
  const test::GoldenPost post("window-2k-1");
  std::vector<PostSectorProof> proofs = post.vanilla();
  const PostShape& shape = post.statement.shape;
  EXPECT_THAT([&] { post_circuit_sectors(shape, {}); }, ThrowsMessage<InputError>(HasSubstr("0 sectors")));
  EXPECT_THAT([&] { post_circuit_sectors(post_shape(PostKind::kWinning, *shape.sector), proofs); },
              ThrowsMessage<InputError>(HasSubstr("2 sectors in a partition; expected 1 to 1")));
  proofs[1].inclusion_proofs.pop_back();
  EXPECT_THAT([&] { post_circuit_sectors(shape, proofs); }, ThrowsMessage<InputError>(HasSubstr("9 inclusion proofs")));
  proofs.insert(proofs.end(), 2, proofs[0]);
  EXPECT_THAT([&] { post_circuit_sectors(shape, proofs); }, ThrowsMessage<InputError>(HasSubstr("4 sectors")));
}

}  // namespace
}  // namespace proofline::filecoin
