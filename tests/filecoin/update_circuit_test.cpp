#include "filecoin/update_circuit.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/reference_shape.hpp"
#include "filecoin/synthetic_update.hpp"
#include "filecoin/update_inputs.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/query_scalars.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuit_forms.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;

const Executor kTwo(2);

/// The 2 KiB circuit, recorded once for all tests.
const r1cs::StructuredR1cs& circuit_2kib() {
  static const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(update_shape(2048)));
  return circuit;
}

class UpdateCircuitShape : public testing::TestWithParam<std::uint64_t> {};

TEST_P(UpdateCircuitShape, EqualsTheReference) {
  const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(update_shape(GetParam())));
  test::expect_reference_shape("update", GetParam(), circuit.shape(), test::hex(r1cs::digest(circuit)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, UpdateCircuitShape, testing::Values(std::uint64_t{2} << 10, std::uint64_t{8} << 20));

// rust-fil-proofs storage-proofs-update/tests/circuit.rs asserts these.
TEST(UpdateCircuit, ConstraintsOfTheSmallSizes) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes{{1, 1'248'389}, {2, 1'705'039},  {4, 2'165'109},
                                                                   {8, 2'620'359}, {16, 6'300'021}, {32, 6'760'091}};
  for (const auto& [kib, constraints] : sizes) {
    const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(update_shape(kib << 10)));
    EXPECT_EQ(circuit.num_constraints, constraints) << kib << " KiB";
    EXPECT_EQ(circuit.num_inputs, 5U);
  }
}

TEST(UpdateCircuit, WitnessAndInputsEqualTheReference) {
  const auto stats = test::read_json(test::data_path("proofs/update-2k-1/circuit-p0.stats.json"));
  const UpdateStatement about = test::golden_update_statement();
  const UpdatePartitionProof proof = test::golden_update_proof();
  const r1cs::Circuit circuit = update_circuit(update_partition(about, 0, proof));
  r1cs::CompactWitness compact = r1cs::generate_witness(circuit, kTwo);
  compact.share_kinds(circuit_2kib().kinds);
  EXPECT_EQ(r1cs::first_broken_row(circuit_2kib(), compact, kTwo), std::nullopt);
  const r1cs::FlatWitness witness = r1cs::to_flat(circuit_2kib(), compact, kTwo);

  std::vector<std::string> inputs;
  for (const Fr& input : witness.inputs) inputs.push_back(test::hex(input.to_bytes()));
  EXPECT_EQ(inputs, stats.at("inputs").get<std::vector<std::string>>());
  std::vector<Fr> derived = update_public_inputs(about, 0);
  derived.insert(derived.begin(), Fr::one());
  EXPECT_EQ(derived, witness.inputs);
  Sha256 aux;
  for (const Fr& value : witness.aux) aux.update(value.to_bytes());
  EXPECT_EQ(test::hex(aux.finish()), stats.at("aux_witness_sha256"));
}

TEST(UpdateCircuit, AllFormsAreTheSame) {
  const UpdateStatement about = test::golden_update_statement();
  const UpdatePartitionProof proof = test::golden_update_proof();
  proofline::test::expect_same_forms(update_circuit(update_partition(about, 0, proof)));
}

// Sub and top trees, several partitions, and h 1 and 10.
TEST(UpdateCircuit, SyntheticUpdatesSatisfyTheCircuit) {
  for (const auto& [size, partition] :
       std::vector<std::pair<std::uint64_t, unsigned>>{{1 << 10, 0}, {4 << 10, 0}, {32 << 10, 1}, {8 << 20, 3}}) {
    const UpdateShape& shape = update_shape(size);
    const SyntheticUpdate update(shape, 7, kTwo);
    const UpdatePartitionProof proof = update.open(partition);
    const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(shape));
    r1cs::CompactWitness witness =
        r1cs::generate_witness(update_circuit(update_partition(update.statement(), partition, proof)), kTwo);
    std::vector<Fr> derived = update_public_inputs(update.statement(), partition);
    derived.insert(derived.begin(), Fr::one());
    EXPECT_EQ(derived, witness.inputs) << shape.name;
    witness.share_kinds(circuit.kinds);
    const auto broken = r1cs::first_broken_row(circuit, witness, kTwo);
    EXPECT_EQ(broken ? circuit.path_of_row(*broken) : "", "") << shape.name;
  }
}

TEST(UpdateCircuit, InputsPackPartitionAndSelector) {
  UpdateStatement about{std::uint64_t{32} << 30, Fr::from_u64(1), Fr::from_u64(2), Fr::from_u64(3)};
  const std::vector<Fr> expected{Fr::from_u64(5 | 8 << 4), Fr::from_u64(1), Fr::from_u64(2), Fr::from_u64(3)};
  EXPECT_EQ(update_public_inputs(about, 5), expected);
  about.sector_size = 32 << 10;
  EXPECT_EQ(update_public_inputs(about, 1).front(), Fr::from_u64(1 | 1 << 1));
  EXPECT_THROW(update_public_inputs(about, 2), InputError);
}

/// Gadget path of the first row that a changed update breaks.
template <class Change>
std::string broken_after(const Change& change) {
  UpdateStatement about = test::golden_update_statement();
  UpdatePartitionProof proof = test::golden_update_proof();
  change(about, proof);
  const UpdatePartition partition{about, partition_and_h_select(update_shape(2048), 0), &proof};
  const auto witness = r1cs::generate_witness(update_circuit(partition), kTwo);
  const auto row = r1cs::first_broken_row(circuit_2kib(), witness, kTwo);
  return row ? circuit_2kib().path_of_row(*row) : "none";
}

TEST(UpdateCircuit, AChangedUpdateBreaksANamedRow) {
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_EQ(broken_after([](auto&, auto&) {}), "none");
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.comm_c); }), HasSubstr("comm_r_old"));
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.challenges[0].r_new.root); }), HasSubstr("comm_r_new"));
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.apex_leaves[5]); }), HasSubstr("apex"));
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.challenges[2].r_old.path[1].siblings[0]); }),
              HasSubstr("challenge[2]/r_old_inclusion"));
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.challenges[9].r_new.path[0].siblings[6]); }),
              HasSubstr("challenge[9]/r_new_inclusion"));
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.challenges[4].d_new.path[0].siblings[0]); }),
              HasSubstr("challenge[4]/d_new_inclusion"));
  // The encoding: other data gives another replica node, which is not in the new tree.
  EXPECT_THAT(broken_after([&](auto&, auto& p) { bump(p.challenges[3].d_new.leaf); }),
              HasSubstr("challenge[3]/r_new_inclusion"));
  // Another commitment means other challenges, or another phi and so other rhos.
  EXPECT_THAT(broken_after([&](auto& about, auto&) { bump(about.comm_r_new); }), HasSubstr("comm_r_new"));
  EXPECT_THAT(broken_after([&](auto& about, auto&) { bump(about.comm_d_new); }), HasSubstr("apex"));
}

TEST(UpdateCircuit, PartitionsAreChecked) {
  const UpdateStatement about = test::golden_update_statement();
  UpdatePartitionProof proof = test::golden_update_proof();
  EXPECT_THROW(update_partition(about, 1, proof), InputError);
  proof.challenges.pop_back();
  EXPECT_THROW(update_partition(about, 0, proof), InputError);
  const UpdateShape& shape = update_shape(std::uint64_t{8} << 20);
  const SyntheticUpdate update(shape, 7, kTwo);
  proof = update.open(2);
  EXPECT_NO_THROW(update_partition(update.statement(), 2, proof));
  proof.challenges[6].d_new.path.back().siblings[0] += Fr::one();
  EXPECT_THAT([&] { update_partition(update.statement(), 2, proof); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("challenge 6: proof_d_new: the path above the apex leaves is not challenge 0's")));
}

}  // namespace
}  // namespace proofline::filecoin
