#include "service/translate.hpp"

#include <gmock/gmock.h>

#include "cuzk.pb.h"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using filecoin::CircuitKind;
using testing::StartsWith;
using testing::ThrowsMessage;

std::string filled(char value) {
  return std::string(32, value);
}

pb::SubmitProofRequest message(pb::ProofKind kind) {
  pb::SubmitProofRequest out;
  out.set_request_id("wdpost-1000-0-[1 2 3]");
  out.set_proof_kind(kind);
  out.set_sector_size(2048);
  out.set_registered_proof(5);
  out.set_sector_number(7);
  out.set_miner_id(1000);
  out.set_partition_index(3);
  out.set_randomness(filled(4));
  out.set_comm_r_old(filled(5));
  out.set_comm_r_new(filled(6));
  out.set_comm_d_new(filled(7));
  if (kind == pb::POREP_SEAL_COMMIT) {
    out.set_vanilla_proof("c1");
  } else {
    out.add_vanilla_proofs("a");
    out.add_vanilla_proofs(std::string("\0b", 2));
  }
  return out;
}

TEST(Translation, EachKindTakesItsFields) {
  pb::SubmitProofRequest porep = message(pb::POREP_SEAL_COMMIT);
  const Submission c1 = take_submission(porep);
  EXPECT_EQ(c1.options.request_id, "wdpost-1000-0-[1 2 3]");
  EXPECT_EQ(c1.request.kind, CircuitKind::kPorep);
  EXPECT_EQ(c1.request.c1, (engine::Bytes{'c', '1'}));
  EXPECT_EQ(c1.request.sector_size, 2048U);
  EXPECT_EQ(c1.request.registered_proof, 5U);
  EXPECT_EQ(c1.request.miner_id, 1000U);
  EXPECT_EQ(c1.request.sector_number, 7U);
  EXPECT_EQ(c1.request.randomness, filecoin::Bytes32{}) << "of another kind: not part of the request";
  EXPECT_TRUE(porep.vanilla_proof().empty()) << "the payload is taken, not copied";

  pb::SubmitProofRequest window = message(pb::WINDOW_POST_PARTITION);
  const Submission partition = take_submission(window);
  EXPECT_EQ(partition.request.kind, CircuitKind::kWindowPost);
  EXPECT_EQ(partition.request.partition_index, 3U);
  EXPECT_EQ(partition.request.randomness[31], 4);
  EXPECT_EQ(partition.request.vanilla, (std::vector<engine::Bytes>{{'a'}, {0, 'b'}}));
  EXPECT_EQ(partition.request.comm_r_old, filecoin::Bytes32{});

  pb::SubmitProofRequest winning = message(pb::WINNING_POST);
  const Submission winner = take_submission(winning);
  EXPECT_EQ(winner.request.kind, CircuitKind::kWinningPost);
  EXPECT_EQ(winner.request.partition_index, 0U);

  pb::SubmitProofRequest snap = message(pb::SNAP_DEALS_UPDATE);
  snap.set_sector_size(0);
  const Submission update = take_submission(snap);
  EXPECT_EQ(update.request.kind, CircuitKind::kUpdate);
  EXPECT_EQ(update.request.sector_size, 0U);
  EXPECT_EQ(update.request.comm_r_old[0], 5);
  EXPECT_EQ(update.request.comm_r_new[0], 6);
  EXPECT_EQ(update.request.comm_d_new[0], 7);
}

TEST(Translation, PrioritiesAreCuzks) {
  const auto priority = [](int number) {
    pb::SubmitProofRequest one = message(pb::WINNING_POST);
    one.set_priority(static_cast<pb::Priority>(number));
    return take_submission(one).options.priority;
  };
  EXPECT_EQ(priority(0), std::nullopt) << "the kind's own";
  EXPECT_EQ(priority(1), engine::Priority::kLow);
  EXPECT_EQ(priority(2), engine::Priority::kNormal);
  EXPECT_EQ(priority(3), engine::Priority::kHigh);
  EXPECT_EQ(priority(4), engine::Priority::kCritical);
  EXPECT_THAT([&] { priority(5); }, ThrowsMessage<InputError>(StartsWith("priority: 5 is none")));
}

TEST(Translation, TheFieldAtFaultIsNamed) {
  const auto refused = [](pb::ProofKind kind, const std::string& text, auto change) {
    pb::SubmitProofRequest one = message(kind);
    change(one);
    EXPECT_THAT([&] { take_submission(one); }, ThrowsMessage<InputError>(StartsWith(text)));
  };
  using Message = pb::SubmitProofRequest;
  refused(pb::PROOF_KIND_UNSPECIFIED, "proof_kind: 0 is no kind", [](Message&) {});
  refused(static_cast<pb::ProofKind>(5), "proof_kind: 5 is no kind", [](Message&) {});
  refused(pb::POREP_SEAL_COMMIT, "request_id: 513 bytes long",
          [](Message& m) { m.set_request_id(std::string(513, 'x')); });
  refused(pb::POREP_SEAL_COMMIT, "request_id: has control", [](Message& m) { m.set_request_id("a\nb"); });
  refused(pb::POREP_SEAL_COMMIT, "vanilla_proof: is empty", [](Message& m) { m.clear_vanilla_proof(); });
  refused(pb::POREP_SEAL_COMMIT, "vanilla_proofs: a PoRep has none", [](Message& m) { m.add_vanilla_proofs("x"); });
  refused(pb::WINNING_POST, "vanilla_proof: only a PoRep", [](Message& m) { m.set_vanilla_proof("x"); });
  refused(pb::WINDOW_POST_PARTITION, "vanilla_proofs: there are none", [](Message& m) { m.clear_vanilla_proofs(); });
  refused(pb::WINDOW_POST_PARTITION, "randomness: 31 bytes",
          [](Message& m) { m.set_randomness(std::string(31, 'x')); });
  refused(pb::WINNING_POST, "randomness: 0 bytes", [](Message& m) { m.clear_randomness(); });
  refused(pb::SNAP_DEALS_UPDATE, "comm_r_old: 0 bytes", [](Message& m) { m.clear_comm_r_old(); });
  refused(pb::SNAP_DEALS_UPDATE, "comm_r_new: 33 bytes", [](Message& m) { m.set_comm_r_new(std::string(33, 'x')); });
  refused(pb::SNAP_DEALS_UPDATE, "comm_d_new: 40 bytes", [](Message& m) { m.set_comm_d_new(std::string(40, 'x')); });
}

TEST(Translation, ResultsTellStateAndTimes) {
  using namespace std::chrono_literals;
  engine::JobStatus status;
  status.record.request_id = "id";
  status.record.accepted = engine::WallClock::time_point{1000s};
  status.record.started = status.record.accepted + 2s;
  status.record.finished = status.record.accepted + 5s;
  status.stages = {{"load", 0.75}, {"witness", 0.5}, {"quotient", 1.25}, {"verification", 0.25}};
  const std::pair<engine::JobState, pb::AwaitProofResponse::Status> states[] = {
      {engine::JobState::kDone, pb::AwaitProofResponse::COMPLETED},
      {engine::JobState::kFailed, pb::AwaitProofResponse::FAILED},
      {engine::JobState::kCancelled, pb::AwaitProofResponse::CANCELLED},
      {engine::JobState::kTimedOut, pb::AwaitProofResponse::TIMEOUT}};
  for (const auto& [state, expected] : states) {
    status.record.state = state;
    status.record.error = "why";
    pb::AwaitProofResponse out;
    fill_result(status, out);
    EXPECT_EQ(out.status(), expected);
    EXPECT_EQ(out.job_id(), "id");
    EXPECT_EQ(out.error_message(), "why");
    EXPECT_EQ(out.queue_wait_ms(), 2000U);
    EXPECT_EQ(out.srs_load_ms(), 750U);
    EXPECT_EQ(out.synthesis_ms(), 500U);
    EXPECT_EQ(out.gpu_compute_ms(), 1500U);
    EXPECT_EQ(out.total_ms(), 5000U);
  }
  status.record.started = {};
  pb::AwaitProofResponse never_started;
  fill_result(status, never_started);
  EXPECT_EQ(never_started.queue_wait_ms(), 5000U);
}

}  // namespace
}  // namespace proofline::service
