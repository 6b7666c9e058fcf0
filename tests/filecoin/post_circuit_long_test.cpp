// WindowPoSt at full size: the circuit's identity, and a synthetic partition that satisfies it.
#include <gtest/gtest.h>

#include "base/stage_recorder.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/reference_shape.hpp"
#include "filecoin/synthetic_post.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"

namespace proofline::filecoin {
namespace {

class FullSize : public testing::TestWithParam<const char*> {};

TEST_P(FullSize, WindowPostEqualsTheReferenceAndASyntheticPartitionSatisfiesIt) {
  const SectorShape& sector = sector_shape(GetParam());
  const PostShape post = post_shape(PostKind::kWindow, sector);
  StageRecorder recorder;
  const r1cs::StructuredR1cs circuit = record_post(post);
  recorder.done("record");
  EXPECT_LE(circuit.bytes().total(), 100'000'000U);
  test::expect_reference_shape("window", sector.sector_size, circuit.shape(), test::hex(r1cs::digest(circuit)));
  recorder.done("digest");

  const Executor exec(2);
  std::vector<PostSectorProof> proofs;
  synthesize_post(
      post, ApiVersion::kV1_2, 1, post.circuit_sectors, [&](const PostSectorProof& proof) { proofs.push_back(proof); },
      exec, no_progress());
  recorder.done("synthesize");
  r1cs::CompactWitness witness = r1cs::generate_witness(post_circuit(post_circuit_sectors(post, proofs)), exec);
  proofs = {};
  recorder.done("witness");
  witness.share_kinds(circuit.kinds);
  const auto broken = r1cs::first_broken_row(circuit, witness, exec);
  EXPECT_EQ(broken, std::nullopt) << circuit.path_of_row(*broken);
  recorder.done("check");

  std::printf("%s: %llu rows, circuit %zu bytes, witness %zu bytes\n", GetParam(),
              static_cast<unsigned long long>(circuit.num_constraints), circuit.bytes().total(), witness.bytes());
  for (const Stage& stage : recorder.stages())
    std::printf("  %-12s %8.2f s %6llu MiB\n", stage.name.c_str(), stage.seconds,
                static_cast<unsigned long long>(stage.peak_rss >> 20));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FullSize, testing::Values("32GiB", "64GiB"));

}  // namespace
}  // namespace proofline::filecoin
