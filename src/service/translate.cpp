#include "service/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cuzk.pb.h"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using engine::Bytes;
using engine::JobState;
using filecoin::CircuitKind;

CircuitKind kind_of(const pb::SubmitProofRequest& message) {
  switch (message.proof_kind()) {
    case pb::POREP_SEAL_COMMIT:
      return CircuitKind::kPorep;
    case pb::SNAP_DEALS_UPDATE:
      return CircuitKind::kUpdate;
    case pb::WINDOW_POST_PARTITION:
      return CircuitKind::kWindowPost;
    case pb::WINNING_POST:
      return CircuitKind::kWinningPost;
    default:
      throw InputError(
          fmt::format("proof_kind: {} is no kind of proof; expected 1 (PoRep), 2 (SnapDeals), 3 (WindowPoSt) "
                      "or 4 (WinningPoSt)",
                      static_cast<int>(message.proof_kind())));
  }
}

std::optional<engine::Priority> priority_of(const pb::SubmitProofRequest& message) {
  switch (message.priority()) {
    case pb::PRIORITY_UNSPECIFIED:
      return std::nullopt;
    case pb::LOW:
      return engine::Priority::kLow;
    case pb::NORMAL:
      return engine::Priority::kNormal;
    case pb::HIGH:
      return engine::Priority::kHigh;
    case pb::CRITICAL:
      return engine::Priority::kCritical;
    default:
      throw InputError(
          fmt::format("priority: {} is none; expected 0 (the kind's own) to 4", static_cast<int>(message.priority())));
  }
}

/// The text's memory is free when this returns.
Bytes taken(std::string* text) {
  const std::string bytes = std::exchange(*text, {});
  return {bytes.begin(), bytes.end()};
}

filecoin::Bytes32 bytes32(const std::string& bytes, std::string_view field) {
  filecoin::Bytes32 out{};
  if (bytes.size() != out.size())
    throw InputError(fmt::format("{}: {} bytes; expected {}", field, bytes.size(), out.size()));
  std::ranges::copy(bytes, out.begin());
  return out;
}

void take_payload(pb::SubmitProofRequest& message, engine::ProofRequest& out) {
  const bool is_porep = out.kind == CircuitKind::kPorep;
  if (is_porep && message.vanilla_proof().empty())
    throw InputError("vanilla_proof: is empty; the C1 of a PoRep goes there");
  if (is_porep && message.vanilla_proofs_size() > 0)
    throw InputError("vanilla_proofs: a PoRep has none; its C1 goes to vanilla_proof");
  if (!is_porep && !message.vanilla_proof().empty())
    throw InputError("vanilla_proof: only a PoRep has it; the proofs of other kinds go to vanilla_proofs");
  if (!is_porep && message.vanilla_proofs_size() == 0) throw InputError("vanilla_proofs: there are none");
  if (is_porep) out.c1 = taken(message.mutable_vanilla_proof());
  out.vanilla.reserve(static_cast<std::size_t>(message.vanilla_proofs_size()));
  for (std::string& proof : *message.mutable_vanilla_proofs()) out.vanilla.push_back(taken(&proof));
}

struct Milliseconds {
  std::uint64_t load = 0, witness = 0, device = 0;
};

Milliseconds stage_times(const engine::JobStatus& status) {
  double load = 0, witness = 0, device = 0;
  for (const engine::StageTime& stage : status.stages)
    (stage.name == engine::kLoadStage ? load : stage.name == engine::kWitnessStage ? witness : device) += stage.seconds;
  const auto ms = [](double seconds) { return static_cast<std::uint64_t>(seconds * 1000); };
  return {ms(load), ms(witness), ms(device)};
}

std::uint64_t ms_between(engine::WallClock::time_point begin, engine::WallClock::time_point end) {
  if (end <= begin) return 0;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(end - begin).count());
}

pb::AwaitProofResponse::Status status_of(JobState state) {
  switch (state) {
    case JobState::kDone:
      return pb::AwaitProofResponse::COMPLETED;
    case JobState::kFailed:
      return pb::AwaitProofResponse::FAILED;
    case JobState::kCancelled:
      return pb::AwaitProofResponse::CANCELLED;
    case JobState::kTimedOut:
      return pb::AwaitProofResponse::TIMEOUT;
    case JobState::kQueued:
    case JobState::kRunning:
      break;
  }
  return pb::AwaitProofResponse::UNKNOWN;
}

}  // namespace

void require_id(const std::string& id, std::string_view field) {
  constexpr std::size_t kMost = 512;
  if (id.size() > kMost)
    throw InputError(fmt::format("{}: {} bytes long; expected at most {}", field, id.size(), kMost));
  if (std::ranges::any_of(id, [](unsigned char c) { return c < 32 || c == 127; }))
    throw InputError(fmt::format("{}: has control characters", field));
}

Submission take_submission(pb::SubmitProofRequest& message) {
  Submission out;
  require_id(message.request_id(), "request_id");
  out.options.request_id = message.request_id();
  out.options.priority = priority_of(message);
  engine::ProofRequest& request = out.request;
  request.kind = kind_of(message);
  request.sector_size = message.sector_size();
  request.registered_proof = message.registered_proof();
  request.miner_id = message.miner_id();
  request.sector_number = message.sector_number();
  const bool is_post = request.kind == CircuitKind::kWindowPost || request.kind == CircuitKind::kWinningPost;
  if (is_post) request.randomness = bytes32(message.randomness(), "randomness");
  if (request.kind == CircuitKind::kWindowPost) request.partition_index = message.partition_index();
  if (request.kind == CircuitKind::kUpdate) {
    request.comm_r_old = bytes32(message.comm_r_old(), "comm_r_old");
    request.comm_r_new = bytes32(message.comm_r_new(), "comm_r_new");
    request.comm_d_new = bytes32(message.comm_d_new(), "comm_d_new");
  }
  take_payload(message, request);
  return out;
}

void fill_result(const engine::JobStatus& status, pb::AwaitProofResponse& out) {
  const engine::JobRecord& record = status.record;
  out.set_job_id(record.request_id);
  out.set_status(status_of(record.state));
  const Bytes proof = status.proof();
  out.set_proof(proof.data(), proof.size());
  out.set_error_message(record.error);
  const bool was_started = record.started != engine::WallClock::time_point{};
  out.set_queue_wait_ms(ms_between(record.accepted, was_started ? record.started : record.finished));
  const Milliseconds times = stage_times(status);
  out.set_srs_load_ms(times.load);
  out.set_synthesis_ms(times.witness);
  out.set_gpu_compute_ms(times.device);
  out.set_total_ms(ms_between(record.accepted, record.finished));
}

}  // namespace proofline::service
