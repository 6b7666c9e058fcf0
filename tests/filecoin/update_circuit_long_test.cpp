/// Sector update circuits of full size, in their structured form.
#include <gtest/gtest.h>

#include "base/stage_recorder.hpp"
#include "filecoin/reference_shape.hpp"
#include "filecoin/synthetic_update.hpp"
#include "filecoin/update_circuit.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::filecoin {
namespace {

class FullSizeUpdate : public testing::TestWithParam<std::uint64_t> {};

TEST_P(FullSizeUpdate, CountsDigestAndSatisfaction) {
  const UpdateShape& shape = update_shape(GetParam());
  StageRecorder recorder;
  const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(shape));
  recorder.done("record");
  test::expect_reference_shape("update", shape.sector_size, circuit.shape(),
                               proofline::test::hex(r1cs::digest(circuit)));
  recorder.done("digest");

  const Executor exec(2);
  const SyntheticUpdate update(shape, 1, exec);
  const unsigned partition = shape.partitions - 1;
  const UpdatePartitionProof proof = update.open(partition);
  recorder.done("synthesize");
  r1cs::CompactWitness witness =
      r1cs::generate_witness(update_circuit(update_partition(update.statement(), partition, proof)), exec);
  recorder.done("witness");
  witness.share_kinds(circuit.kinds);
  const auto broken = r1cs::first_broken_row(circuit, witness, exec);
  EXPECT_EQ(broken ? circuit.path_of_row(*broken) : "", "");
  recorder.done("check");
  EXPECT_LE(recorder.peak_rss(), std::uint64_t{4} << 30);

  std::printf("%s: %llu rows, %zu templates, %zu placements, circuit %zu bytes, witness %zu bytes\n",
              std::string(shape.name).c_str(), static_cast<unsigned long long>(circuit.num_constraints),
              circuit.templates.size(), circuit.placements.size(), circuit.bytes().total(), witness.bytes());
  for (const Stage& stage : recorder.stages())
    std::printf("  %-12s %8.2f s %6llu MiB\n", stage.name.c_str(), stage.seconds,
                static_cast<unsigned long long>(stage.peak_rss >> 20));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FullSizeUpdate,
                         testing::Values(std::uint64_t{512} << 20, std::uint64_t{32} << 30, std::uint64_t{64} << 30));

}  // namespace
}  // namespace proofline::filecoin
