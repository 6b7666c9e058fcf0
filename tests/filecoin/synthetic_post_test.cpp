#include "filecoin/synthetic_post.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_vanilla_verify.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Executor kExec(2);

struct Synthetic {
  Synthetic(const PostShape& shape, ApiVersion version, std::uint64_t seed, std::size_t sectors, unsigned threads = 2)
      : statement(synthesize_post(
            shape, version, seed, sectors, [&](const PostSectorProof& proof) { proofs.push_back(proof); },
            Executor(threads), no_progress())) {}

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out;
    for (const PostSectorProof& proof : proofs) {
      const auto one = write_post_proof(proof, statement.shape);
      out.insert(out.end(), one.begin(), one.end());
    }
    return out;
  }

  std::vector<PostSectorProof> proofs;
  PostStatement statement;
};

TEST(SyntheticPost, EverySizeSatisfiesTheVerifier) {
  for (const SectorShape& sector : sector_shapes()) {
    const Synthetic winning(post_shape(PostKind::kWinning, sector), ApiVersion::kV1_0, 1, 1);
    EXPECT_NO_THROW(verify_post_partition(winning.statement, 0, winning.proofs, "winning", kExec)) << sector.name;
    for (const ApiVersion version : {ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2}) {
      const Synthetic window(post_shape(PostKind::kWindow, sector), version, 1, 2);
      EXPECT_NO_THROW(verify_post_partition(window.statement, 0, window.proofs, "window", kExec)) << sector.name;
    }
  }
}

TEST(SyntheticPost, LaterPartitionsCountSectorsOnBeforeV1_2) {
  const PostShape shape = post_shape(PostKind::kWindow, sector_shape("8MiB"));
  for (const ApiVersion version : {ApiVersion::kV1_1, ApiVersion::kV1_2}) {
    const Synthetic post(shape, version, 4, 5);
    ASSERT_EQ(post_partitions(shape, post.proofs.size()), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto part = std::span(post.proofs).subspan(2 * k, k == 2 ? 1 : 2);
      EXPECT_NO_THROW(verify_post_partition(post.statement, k, part, "window", kExec));
      const std::vector<math::Fr> inputs = post_public_inputs(post.statement, k);
      const r1cs::CompactWitness witness =
          r1cs::generate_witness(post_circuit(post_circuit_sectors(shape, part)), kExec);
      EXPECT_TRUE(std::ranges::equal(inputs, std::span(witness.inputs).subspan(1)));
    }
  }
}

TEST(SyntheticPost, SatisfiesTheCircuitAt32GiB) {
  const PostShape shape = post_shape(PostKind::kWinning, sector_shape("32GiB"));
  const Synthetic post(shape, ApiVersion::kV1_0, 2, 1);
  const r1cs::StructuredR1cs circuit = record_post(shape);
  r1cs::CompactWitness witness = r1cs::generate_witness(post_circuit(post_circuit_sectors(shape, post.proofs)), kExec);
  witness.share_kinds(circuit.kinds);
  EXPECT_EQ(r1cs::first_broken_row(circuit, witness, kExec), std::nullopt);
}

TEST(SyntheticPost, TheSeedAloneDecides) {
  const PostShape shape = post_shape(PostKind::kWindow, sector_shape("512MiB"));
  const Synthetic one(shape, ApiVersion::kV1_2, 7, 3, 1);
  EXPECT_TRUE(one.bytes() == Synthetic(shape, ApiVersion::kV1_2, 7, 3, 3).bytes());
  EXPECT_FALSE(one.bytes() == Synthetic(shape, ApiVersion::kV1_2, 8, 3).bytes());
  const Synthetic more(shape, ApiVersion::kV1_2, 7, 4);
  EXPECT_TRUE(std::ranges::equal(one.statement.sectors, std::span(more.statement.sectors).first(3)));
  EXPECT_NO_THROW(check_statement(more.statement));
}

TEST(SyntheticPost, WrongNumbersOfSectorsAreErrors) {
  const PostShape shape = post_shape(PostKind::kWinning, sector_shape("2KiB"));
  EXPECT_THAT([&] { Synthetic(shape, ApiVersion::kV1_0, 1, 2); },
              ThrowsMessage<InputError>(HasSubstr("exactly one sector")));
  EXPECT_THAT([&] { Synthetic(shape, ApiVersion::kV1_0, 1, 0); }, ThrowsMessage<InputError>(HasSubstr("no sector")));
}

}  // namespace
}  // namespace proofline::filecoin
