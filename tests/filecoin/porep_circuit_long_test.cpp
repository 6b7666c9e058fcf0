/// Circuits of full size, in their structured form.
#include <gtest/gtest.h>

#include "base/stage_recorder.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/reference_shape.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::filecoin {
namespace {

class FullSize : public testing::TestWithParam<const char*> {};

TEST_P(FullSize, CountsDigestAndSatisfactionWithin4GiB) {
  const SealProofInfo& info = seal_proof_info(GetParam());
  const SectorShape& sector = info.shape();
  StageRecorder recorder;
  const r1cs::StructuredR1cs circuit = r1cs::record(porep_shape_circuit(sector));
  recorder.done("record");
  EXPECT_LE(circuit.bytes().total(), 100'000'000U);
  test::expect_reference_shape("porep", sector.sector_size, circuit.shape(), test::hex(r1cs::digest(circuit)));
  recorder.done("digest");

  const Executor exec(2);
  const VanillaProof proof = synthesize_sector(info, 1, exec, no_progress());
  recorder.done("synthesize");
  r1cs::CompactWitness witness = r1cs::generate_witness(porep_circuit(porep_partition(proof, 3)), exec);
  recorder.done("witness");
  EXPECT_LE(witness.bytes(), 80'000'000U);
  witness.share_kinds(circuit.kinds);
  const auto broken = r1cs::first_broken_row(circuit, witness, exec);
  EXPECT_EQ(broken, std::nullopt) << circuit.path_of_row(*broken);
  recorder.done("check");
  EXPECT_LE(recorder.peak_rss(), std::uint64_t{4} << 30);

  std::printf("%s: %llu rows, circuit %zu bytes, witness %zu bytes\n", GetParam(),
              static_cast<unsigned long long>(circuit.num_constraints), circuit.bytes().total(), witness.bytes());
  for (const Stage& stage : recorder.stages())
    std::printf("  %-12s %8.2f s %6llu MiB\n", stage.name.c_str(), stage.seconds,
                static_cast<unsigned long long>(stage.peak_rss >> 20));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FullSize, testing::Values("StackedDrg32GiBV1_1", "StackedDrg64GiBV1_1"));

}  // namespace
}  // namespace proofline::filecoin
