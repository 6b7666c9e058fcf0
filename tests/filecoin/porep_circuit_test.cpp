#include "filecoin/porep_circuit.hpp"

#include <gmock/gmock.h>

#include "filecoin/porep_inputs.hpp"
#include "filecoin/reference_shape.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "filecoin/vanilla_json.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/query_scalars.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuits.hpp"
#include "support/zstd_file.hpp"

namespace proofline::filecoin {
namespace test {
using namespace proofline::test;
}
namespace {

using math::Fr;

/// Digests each block of 1024 rows, so that a difference from the reference is found to 1024 rows.
class RowCheckpoints : public r1cs::RowSink {
 public:
  void row(const r1cs::Builder& builder, const r1cs::Row& row) override {
    r1cs::append_row_bytes(row, block_);
    if ((builder.num_constraints() + 1) % 1024 == 0) close();
  }
  std::vector<std::uint8_t> finish() {
    if (!block_.empty()) close();
    return checkpoints_;
  }

 private:
  void close() {
    const auto digest = sha256(block_);
    checkpoints_.insert(checkpoints_.end(), digest.begin(), digest.begin() + 8);
    block_.clear();
  }
  std::vector<std::uint8_t> block_;
  std::vector<std::uint8_t> checkpoints_;
};

struct ShapeAndDigest {
  r1cs::Shape shape;
  std::string digest;
};

ShapeAndDigest shape_of(const SectorShape& sector, r1cs::RowSink* extra = nullptr) {
  test::RowCounter counter;
  r1cs::RowDigest digest;
  std::vector<r1cs::RowSink*> sinks = {&counter, &digest};
  if (extra != nullptr) sinks.push_back(extra);
  r1cs::RowTee tee(sinks);
  r1cs::Builder builder(&tee, r1cs::Keep::kNothing);
  porep_shape_circuit(sector)(builder);
  return {counter.shape(builder), test::hex(digest.finish())};
}

void expect_reference_shape(const SectorShape& sector, const ShapeAndDigest& got) {
  test::expect_reference_shape("porep", sector.sector_size, got.shape, got.digest);
}

TEST(PorepCircuit, EveryRowOf2KibEqualsTheReference) {
  const SectorShape& sector = sector_shape("2KiB");
  RowCheckpoints checkpoints;
  const ShapeAndDigest got = shape_of(sector, &checkpoints);
  expect_reference_shape(sector, got);
  const auto expected = test::read_bytes(test::data_path("sectors/2k-1/porep-2048-p0.rows-1024.sha256-8"));
  const auto actual = checkpoints.finish();
  ASSERT_EQ(actual.size(), expected.size());
  const auto difference = std::mismatch(actual.begin(), actual.end(), expected.begin()).first;
  EXPECT_TRUE(difference == actual.end())
      << "first differing row is in block " << (difference - actual.begin()) / 8 << " of 1024 rows";
}

TEST(PorepCircuit, ShapeOf8MibEqualsTheReference) {
  expect_reference_shape(sector_shape("8MiB"), shape_of(sector_shape("8MiB")));
}

TEST(PorepCircuit, ShapeOf512MibEqualsTheReference) {
  expect_reference_shape(sector_shape("512MiB"), shape_of(sector_shape("512MiB")));
}

class GoldenSector : public testing::TestWithParam<const char*> {
 protected:
  std::string folder() const { return std::string("sectors/") + GetParam() + "/"; }
};

TEST_P(GoldenSector, WitnessAndInputsEqualTheReference) {
  const auto stats_name =
      std::string(GetParam()) == "8m-6-cc" ? "porep-8388608-p0.stats.json" : "porep-2048-p0.stats.json";
  const auto stats = test::read_json(test::data_path(folder() + stats_name));
  const VanillaProof proof = read_c1_file(test::data_path(folder() + "c1.json")).proof;
  const r1cs::FlatWitness witness = r1cs::generate_flat_witness(porep_circuit(porep_partition(proof, 0)), Executor(2));

  std::vector<std::string> inputs;
  for (const Fr& input : witness.inputs) inputs.push_back(test::hex(input.to_bytes()));
  EXPECT_EQ(inputs, stats.at("inputs").get<std::vector<std::string>>());

  std::vector<Fr> derived = porep_public_inputs(porep_statement(proof), 0);
  derived.insert(derived.begin(), Fr::one());
  EXPECT_EQ(derived, witness.inputs);

  Sha256 aux;
  for (const Fr& value : witness.aux) aux.update(value.to_bytes());
  EXPECT_EQ(test::hex(aux.finish()), stats.at("aux_witness_sha256"));
}

INSTANTIATE_TEST_SUITE_P(All, GoldenSector, testing::Values("2k-1", "2k-2", "2kv1-4", "8m-6-cc"));

TEST(PorepCircuit, EveryWitnessValueOf2kEqualsTheReference) {
  const VanillaProof proof = read_c1_file(test::data_path("sectors/2k-1/c1.json")).proof;
  const auto run = test::run_circuit(porep_circuit(porep_partition(proof, 0)));
  EXPECT_EQ(run.first_broken, "");
  const auto expected = test::read_zstd(test::data_path("sectors/2k-1/porep-2048-p0.witness.bin.zst"));
  ASSERT_EQ(expected.size(), 32 * (run.witness.inputs.size() + run.witness.aux.size()));
  for (std::size_t i = 0; i < expected.size() / 32; ++i) {
    const std::size_t inputs = run.witness.inputs.size();
    const Fr& value = i < inputs ? run.witness.inputs[i] : run.witness.aux[i - inputs];
    const auto bytes = value.to_bytes();
    ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(32 * i)))
        << "value " << i;
  }
}

/// Compares each row as it passes with what the structured circuit and the compact witness say of it.
class FormComparison : public r1cs::RowSink {
 public:
  FormComparison(const r1cs::StructuredR1cs& circuit, const r1cs::CompactWitness& witness)
      : circuit_(circuit), a_(circuit.num_constraints), b_(a_.size()), c_(a_.size()) {
    r1cs::evaluate_rows(circuit, witness, 0, a_.size(), {a_, b_, c_}, Executor(2));
  }
  void row(const r1cs::Builder& builder, const r1cs::Row& row) override {
    const std::size_t i = builder.num_constraints();
    const bool same =
        value(builder, row.a) == a_[i] && value(builder, row.b) == b_[i] && value(builder, row.c) == c_[i];
    if (!same && different_++ == 0) ADD_FAILURE() << "row " << i << " at " << builder.path();
    if (i % 1009 == 0) {
      EXPECT_EQ(circuit_.path_of_row(i), builder.path()) << i;
    }
  }

 private:
  static Fr value(const r1cs::Builder& builder, r1cs::Terms terms) {
    Fr sum;
    for (const r1cs::Term& term : terms) sum += term.coefficient * builder.value(term.variable);
    return sum;
  }
  const r1cs::StructuredR1cs& circuit_;
  std::vector<Fr> a_, b_, c_;
  std::uint64_t different_ = 0;
};

class Forms : public testing::TestWithParam<const char*> {};

TEST_P(Forms, CompactEqualsFlatForEveryRowAndValue) {
  const VanillaProof proof = read_c1_file(test::data_path(std::string("sectors/") + GetParam() + "/c1.json")).proof;
  const r1cs::Circuit circuit = porep_circuit(porep_partition(proof, 0));
  const SectorShape& sector = seal_proof_info(proof.registered_proof).shape();
  const r1cs::StructuredR1cs structured = r1cs::record(porep_shape_circuit(sector));
  expect_reference_shape(sector, {structured.shape(), test::hex(r1cs::digest(structured))});
  r1cs::CompactWitness compact = r1cs::generate_witness(circuit, Executor(2));
  compact.share_kinds(structured.kinds);
  EXPECT_EQ(r1cs::first_broken_row(structured, compact, Executor(2)), std::nullopt);

  FormComparison rows(structured, compact);
  r1cs::Builder flat(&rows, r1cs::Keep::kWitness);
  circuit(flat);
  EXPECT_EQ(flat.num_constraints(), structured.num_constraints);
  const r1cs::CompactWitness with_rows = flat.take_witness();
  EXPECT_EQ(with_rows.bits, compact.bits);
  EXPECT_EQ(with_rows.fields, compact.fields);
  EXPECT_EQ(with_rows.inputs, compact.inputs);
  const r1cs::CompactWitness from_flat =
      r1cs::CompactWitness::from_flat(r1cs::to_flat(structured, compact, Executor(2)), structured.kinds);
  EXPECT_EQ(from_flat.bits, compact.bits);
  EXPECT_EQ(from_flat.fields, compact.fields);
}

INSTANTIATE_TEST_SUITE_P(All, Forms, testing::Values("2k-1", "8m-6-cc"));

TEST(PorepCircuit, AChangedSectorBreaksANamedRow) {
  VanillaProof proof = read_c1_file(test::data_path("sectors/2k-1/c1.json")).proof;
  const r1cs::StructuredR1cs circuit = r1cs::record(porep_shape_circuit(sector_shape("2KiB")));
  const auto broken_after = [&](auto change) {
    VanillaProof changed = proof;
    change(changed.partitions[0]);
    const auto witness = r1cs::generate_witness(porep_circuit(porep_partition(changed, 0)), Executor(2));
    const auto row = r1cs::first_broken_row(circuit, witness, Executor(2));
    return row ? circuit.path_of_row(*row) : "";
  };
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_THAT(broken_after([&](auto& c) { bump(c[1].comm_d_proof.path[2].siblings[0]); }),
              testing::HasSubstr("challenge[1]/comm_d_inclusion"));
  EXPECT_THAT(broken_after([&](auto& c) { bump(c[0].drg_parents[3].rows[1]); }),
              testing::HasSubstr("challenge[0]/drg_parent[3]/inclusion"));
  EXPECT_THAT(broken_after([&](auto& c) { bump(c[1].expander_parents[7].inclusion.path[0].siblings[6]); }),
              testing::HasSubstr("challenge[1]/expander_parent[7]/inclusion"));
  EXPECT_THAT(broken_after([&](auto& c) { c[0].labeling_proofs[0].node ^= 1; }),
              testing::HasSubstr("challenge[0]/comm_r_last_inclusion"));
}

TEST(PorepCircuit, AChallengeOf32GibAnd64GibSatisfiesTheCircuit) {
  for (const auto& [name, index] :
       std::vector<std::pair<std::string, unsigned>>{{"StackedDrg32GiBV1_1", 9}, {"StackedDrg64GiBV1", 0}}) {
    const VanillaProof proof = synthesize_sector(seal_proof_info(name), 0, Executor(2), no_progress());
    PorepPartition partition = porep_partition(proof, index);
    partition.challenges = partition.challenges.first(1);
    r1cs::SatisfactionChecker checker;
    r1cs::Builder builder(&checker, r1cs::Keep::kWitness);
    porep_circuit(partition)(builder);
    EXPECT_EQ(checker.first_broken(), "") << name;
    std::vector<Fr> derived = porep_public_inputs(porep_statement(proof), index);
    derived.insert(derived.begin(), Fr::one());
    derived.resize(4 + 18);
    EXPECT_EQ(derived, builder.take_witness().inputs) << name;
  }
}

}  // namespace
}  // namespace proofline::filecoin
