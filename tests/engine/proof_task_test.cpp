#include "engine/proof_task.hpp"

#include <gmock/gmock.h>

#include "base/base64.hpp"
#include "base/error.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/post_bincode.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/synthetic_post.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::engine {
namespace {

namespace test = filecoin::test;
using filecoin::CircuitKind;
using math::Fr;
using testing::HasSubstr;
using testing::StartsWith;

const Executor kExec(2);

ProofRequest porep_request(const std::string& sector = "2k-1") {
  ProofRequest out;
  out.kind = CircuitKind::kPorep;
  out.c1 = test::GoldenSector(sector).file("c1.json");
  return out;
}

ProofRequest post_request(const std::string& name) {
  const test::GoldenPost post(name);
  ProofRequest out;
  out.kind = name.starts_with("winning") ? CircuitKind::kWinningPost : CircuitKind::kWindowPost;
  out.registered_proof = name.starts_with("winning") ? 0 : 10;
  out.randomness = post.statement.randomness;
  for (std::size_t i = 0; i < post.statement.sectors.size(); ++i) {
    out.vanilla.push_back(test::read_bytes(post.vanilla_file(i)));
  }
  return out;
}

ProofRequest update_request() {
  const filecoin::UpdateStatement statement = test::golden_update_statement();
  ProofRequest out;
  out.kind = CircuitKind::kUpdate;
  out.registered_proof = 0;
  out.comm_r_old = statement.comm_r_old.to_bytes();
  out.comm_r_new = statement.comm_r_new.to_bytes();
  out.comm_d_new = statement.comm_d_new.to_bytes();
  out.vanilla.push_back(test::read_bytes(test::golden_update_vanilla_file()));
  return out;
}

/// The message of the InputError that making the task throws.
std::string rejection(ProofRequest request) {
  try {
    make_task(std::move(request));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// The same for the first partition's witness.
std::string witness_rejection(ProofRequest request) {
  const auto task = make_task(std::move(request));
  try {
    task->witness(0, kExec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Inputs and witness are the reference's and the witness satisfies the recorded circuit.
void expect_golden(ProofRequest request, const std::string& circuit_id, const std::filesystem::path& stats_file) {
  const CircuitKind kind = request.kind;
  const auto task = make_task(std::move(request));
  EXPECT_EQ(task->circuit_id(), circuit_id);
  ASSERT_EQ(task->partitions(), 1U);
  EXPECT_GT(task->bytes(), 0U);
  std::vector<std::string> inputs = {test::hex(Fr::one().to_bytes())};
  for (const Fr& input : task->public_inputs(0)) inputs.push_back(test::hex(input.to_bytes()));
  EXPECT_EQ(inputs, test::read_json(stats_file).at("inputs").get<std::vector<std::string>>());
  r1cs::CompactWitness witness = task->witness(0, kExec);
  const r1cs::StructuredR1cs circuit = filecoin::record_circuit(kind, filecoin::sector_shape("2KiB"), no_progress());
  witness.share_kinds(circuit.kinds);
  EXPECT_NO_THROW(r1cs::require_satisfied(circuit, witness, kExec));
  EXPECT_ANY_THROW(task->public_inputs(1));
  EXPECT_ANY_THROW(task->witness(1, kExec));
}

TEST(ProofTask, Porep) {
  expect_golden(porep_request(), "porep-2k", test::data_path("proofs/2k-1/circuit-p0.stats.json"));
}

TEST(ProofTask, WinningPost) {
  expect_golden(post_request("winning-2k-1"), "winning-2k",
                test::data_path("proofs/winning-2k-1/circuit-p0.stats.json"));
}

TEST(ProofTask, WindowPost) {
  expect_golden(post_request("window-2k-1"), "wpost-2k", test::data_path("proofs/window-2k-1/circuit-p0.stats.json"));
}

TEST(ProofTask, Update) {
  expect_golden(update_request(), "snap-2k", test::data_path("proofs/update-2k-1/circuit-p0.stats.json"));
}

TEST(ProofTask, TheSectorSizeMayTakeTheRegisteredProofsPlace) {
  for (ProofRequest request : {post_request("winning-2k-1"), post_request("window-2k-1"), update_request()}) {
    const auto inputs = make_task(request)->public_inputs(0);
    request.registered_proof.reset();
    EXPECT_THAT(rejection(request), StartsWith("sector_size: missing"));
    request.sector_size = 2048;
    EXPECT_EQ(make_task(request)->public_inputs(0), inputs);
    request.sector_size = 2049;
    EXPECT_THAT(rejection(request), StartsWith("sector_size: "));
  }
}

TEST(ProofTask, RegisteredProofsMustBeKnownAndOfTheSectorSize) {
  for (ProofRequest request :
       {porep_request(), post_request("winning-2k-1"), post_request("window-2k-1"), update_request()}) {
    request.sector_size = 8 << 20;
    EXPECT_THAT(rejection(request), testing::AllOf(StartsWith("sector_size: 8 MiB"), HasSubstr("2 KiB")));
    for (const std::uint64_t unknown : {std::uint64_t{20}, ~std::uint64_t{0}}) {
      request.registered_proof = unknown;
      EXPECT_THAT(rejection(request), StartsWith("registered_proof: " + std::to_string(unknown) + " is no registered"));
    }
  }
}

TEST(ProofTask, TheC1MustBeOfTheRegisteredProof) {
  ProofRequest request = porep_request();
  const auto own = static_cast<std::uint64_t>(test::GoldenSector("2k-1").info().proof);
  request.registered_proof = own;
  request.sector_size = 2048;
  EXPECT_EQ(rejection(request), "accepted");
  for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{10}, std::uint64_t{15}}) {
    request.registered_proof = other;
    EXPECT_THAT(rejection(request),
                testing::AllOf(StartsWith("registered_proof: " + std::to_string(other) + " (StackedDrg2KiB"),
                               HasSubstr("the c1 is of 5 (StackedDrg2KiBV1_1)")));
  }
  request.registered_proof = 8;
  EXPECT_THAT(rejection(request), StartsWith("sector_size: 2 KiB, but registered_proof 8 (StackedDrg32GiBV1_1)"));
}

TEST(ProofTask, ABadC1) {
  ProofRequest request = porep_request();
  request.c1.clear();
  EXPECT_THAT(rejection(request), StartsWith("c1: missing"));
  request.c1 = {'{', '}'};
  EXPECT_THAT(rejection(request), StartsWith("c1"));
  // Another seed makes other challenges: sound JSON, but not a proof.
  request = porep_request();
  std::string text(request.c1.begin(), request.c1.end());
  const std::size_t seed = text.find("\"seed\":[");
  ASSERT_NE(seed, std::string::npos);
  const std::size_t digit = text.find_first_of("0123456789", seed);
  text[digit] = text[digit] == '1' ? '2' : '1';
  request.c1.assign(text.begin(), text.end());
  EXPECT_THAT(witness_rejection(request), StartsWith("c1"));
}

TEST(ProofTask, APostsKindMustBeThatOfItsRegisteredProof) {
  ProofRequest request = post_request("window-2k-1");
  request.registered_proof = 0;
  EXPECT_THAT(rejection(request),
              testing::AllOf(StartsWith("registered_proof: 0 (StackedDrgWinning2KiBV1)"),
                             HasSubstr("is a winning-post; the kind of the request is window-post")));
}

TEST(ProofTask, RandomnessAndCommitmentsMustBeFieldElements) {
  for (ProofRequest request : {post_request("winning-2k-1"), post_request("window-2k-1")}) {
    request.randomness[31] = 0xff;
    EXPECT_THAT(rejection(request), StartsWith("randomness"));
  }
  const std::pair<const char*, filecoin::Bytes32 ProofRequest::*> commitments[] = {
      {"comm_r_old", &ProofRequest::comm_r_old},
      {"comm_r_new", &ProofRequest::comm_r_new},
      {"comm_d_new", &ProofRequest::comm_d_new}};
  for (const auto& [name, member] : commitments) {
    ProofRequest request = update_request();
    (request.*member)[31] = 0xff;
    EXPECT_THAT(rejection(request), StartsWith(name));
    request = update_request();
    (request.*member)[0] ^= 1;
    EXPECT_THAT(witness_rejection(request), StartsWith("vanilla_proofs[0]"));
  }
}

TEST(ProofTask, TheNumberOfVanillaProofs) {
  ProofRequest request = post_request("winning-2k-1");
  request.vanilla.push_back(request.vanilla[0]);
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs: 2; a partition of a winning-post of 2KiB sectors has at "
                                             "most 1"));
  request.vanilla.clear();
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs: none"));
  request = post_request("window-2k-1");
  request.vanilla.push_back(request.vanilla[0]);
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs: 3;"));
  request = update_request();
  request.vanilla.push_back(request.vanilla[0]);
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs: 1 partition proofs expected for an update of 2KiB"));
  request.vanilla = {Bytes{}};
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs[0]: empty"));
}

TEST(ProofTask, SectorsMayComeInAnyOrder) {
  ProofRequest request = post_request("window-2k-1");
  const auto ascending = make_task(request);
  std::swap(request.vanilla[0], request.vanilla[1]);
  const auto swapped = make_task(request);
  EXPECT_EQ(swapped->public_inputs(0), ascending->public_inputs(0));
  // Throws where the proofs are not those of the statement's sectors, in its order.
  EXPECT_EQ(swapped->witness(0, Executor(1)).inputs, ascending->witness(0, Executor(1)).inputs);
  request.vanilla[0] = request.vanilla[1];
  EXPECT_THAT(rejection(request), testing::AllOf(StartsWith("vanilla_proofs[1]: sector "), HasSubstr("given twice")));
}

TEST(ProofTask, BadVanillaProofsAreNamed) {
  ProofRequest request = post_request("window-2k-1");
  request.vanilla[1].resize(20);
  EXPECT_THAT(rejection(request), StartsWith("vanilla_proofs[1]: byte 8"));
  request = post_request("window-2k-1");
  request.vanilla[1].pop_back();
  EXPECT_THAT(witness_rejection(request), StartsWith("vanilla_proofs[1]: byte "));
  request = post_request("window-2k-1");
  request.randomness[0] ^= 1;
  EXPECT_THAT(witness_rejection(request), StartsWith("vanilla_proofs: sector "));
  request = update_request();
  request.vanilla[0].pop_back();
  EXPECT_THAT(witness_rejection(request), StartsWith("vanilla_proofs[0]: byte "));
}

/// Partitions asked for one at a time are those of one proof of all sectors.
TEST(ProofTask, ThePartitionIndexCountsInChallengesUpToV1_1) {
  const filecoin::PostShape shape = filecoin::post_shape(filecoin::PostKind::kWindow, filecoin::sector_shape("2KiB"));
  for (const bool counts : {true, false}) {
    std::vector<Bytes> vanilla;
    const filecoin::PostStatement statement = filecoin::synthesize_post(
        shape, counts ? filecoin::ApiVersion::kV1_0 : filecoin::ApiVersion::kV1_2, 4, 5,
        [&](const filecoin::PostSectorProof& proof) { vanilla.push_back(filecoin::write_post_proof(proof, shape)); },
        kExec, no_progress());
    ProofRequest request;
    request.kind = CircuitKind::kWindowPost;
    request.registered_proof = counts ? 5 : 10;
    request.randomness = statement.randomness;
    request.vanilla = {vanilla.at(2), vanilla.at(3)};
    request.partition_index = 1;
    const auto task = make_task(request);
    EXPECT_EQ(task->partitions(), 1U);
    EXPECT_EQ(task->public_inputs(0), filecoin::post_public_inputs(statement, 1));
    EXPECT_NO_THROW(task->witness(0, kExec));
    request.partition_index = 0;
    EXPECT_EQ(make_task(request)->public_inputs(0) == task->public_inputs(0), !counts);
    EXPECT_EQ(witness_rejection(request) == "accepted", !counts);
    request.partition_index = std::uint64_t{1} << 32;
    EXPECT_THAT(rejection(request), StartsWith("partition_index: "));
  }
}

TEST(ProofTask, AnUnknownKind) {
  ProofRequest request;
  request.kind = static_cast<CircuitKind>(4);
  EXPECT_THAT(rejection(request), StartsWith("kind: 4"));
}

}  // namespace
}  // namespace proofline::engine
