#include "service/client.hpp"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <array>

#include "base/file.hpp"
#include "cuzk.grpc.pb.h"
#include "service/endpoint.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using filecoin::CircuitKind;

constexpr int kMostBytes = 256 << 20;

constexpr std::array<std::string_view, 17> kCodes = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

pb::ProofKind kind_of(CircuitKind kind) {
  switch (kind) {
    case CircuitKind::kPorep:
      return pb::POREP_SEAL_COMMIT;
    case CircuitKind::kUpdate:
      return pb::SNAP_DEALS_UPDATE;
    case CircuitKind::kWindowPost:
      return pb::WINDOW_POST_PARTITION;
    case CircuitKind::kWinningPost:
      return pb::WINNING_POST;
  }
  return pb::PROOF_KIND_UNSPECIFIED;
}

pb::Priority priority_of(const std::optional<engine::Priority>& priority) {
  if (!priority) return pb::PRIORITY_UNSPECIFIED;
  switch (*priority) {
    case engine::Priority::kCritical:
      return pb::CRITICAL;
    case engine::Priority::kHigh:
      return pb::HIGH;
    case engine::Priority::kNormal:
      return pb::NORMAL;
    case engine::Priority::kLow:
      return pb::LOW;
  }
  return pb::PRIORITY_UNSPECIFIED;
}

pb::SubmitProofRequest message_of(const Submission& submission) {
  const engine::ProofRequest& request = submission.request;
  pb::SubmitProofRequest out;
  out.set_request_id(submission.options.request_id);
  out.set_proof_kind(kind_of(request.kind));
  out.set_priority(priority_of(submission.options.priority));
  out.set_sector_size(request.sector_size);
  out.set_registered_proof(request.registered_proof.value_or(0));
  out.set_vanilla_proof(request.c1.data(), request.c1.size());
  for (const engine::Bytes& proof : request.vanilla) out.add_vanilla_proofs(proof.data(), proof.size());
  out.set_sector_number(request.sector_number);
  out.set_miner_id(request.miner_id);
  if (request.kind == CircuitKind::kWindowPost || request.kind == CircuitKind::kWinningPost)
    out.set_randomness(request.randomness.data(), request.randomness.size());
  out.set_partition_index(static_cast<std::uint32_t>(request.partition_index));
  if (request.kind == CircuitKind::kUpdate) {
    out.set_comm_r_old(request.comm_r_old.data(), request.comm_r_old.size());
    out.set_comm_r_new(request.comm_r_new.data(), request.comm_r_new.size());
    out.set_comm_d_new(request.comm_d_new.data(), request.comm_d_new.size());
  }
  return out;
}

JobOutcome outcome_of(pb::AwaitProofResponse::Status status) {
  switch (status) {
    case pb::AwaitProofResponse::COMPLETED:
      return JobOutcome::kDone;
    case pb::AwaitProofResponse::FAILED:
      return JobOutcome::kFailed;
    case pb::AwaitProofResponse::CANCELLED:
      return JobOutcome::kCancelled;
    case pb::AwaitProofResponse::TIMEOUT:
      return JobOutcome::kTimeout;
    default:
      return JobOutcome::kUnknown;
  }
}

JobResult result_of(const pb::AwaitProofResponse& message) {
  return {.job_id = message.job_id(),
          .outcome = outcome_of(message.status()),
          .proof = {message.proof().begin(), message.proof().end()},
          .error = message.error_message(),
          .queue_wait_ms = message.queue_wait_ms(),
          .synthesis_ms = message.synthesis_ms(),
          .gpu_compute_ms = message.gpu_compute_ms(),
          .total_ms = message.total_ms()};
}

std::string tier_name(pb::SRSStatus::Tier tier) {
  if (tier == pb::SRSStatus::HOT) return "hot";
  return tier == pb::SRSStatus::WARM ? "warm" : "cold";
}

std::shared_ptr<grpc::ChannelCredentials> credentials(const ClientOptions& options) {
  if (options.tls_ca.empty()) return grpc::InsecureChannelCredentials();
  const MappedFile file(options.tls_ca);
  grpc::SslCredentialsOptions ssl;
  ssl.pem_root_certs.assign(file.bytes().begin(), file.bytes().end());
  return grpc::SslCredentials(ssl);
}

}  // namespace

std::string_view outcome_name(JobOutcome outcome) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "done", "failed", "cancelled", "timeout"};
  return kNames[static_cast<std::size_t>(outcome)];
}

struct Client::State {
  ClientOptions options;
  std::unique_ptr<pb::ProvingEngine::Stub> stub;

  /// `time` 0: no limit.
  template <class Request, class Response>
  Response call(grpc::Status (pb::ProvingEngine::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                const Request& request, milliseconds time) const {
    grpc::ClientContext context;
    if (time.count() > 0) context.set_deadline(std::chrono::system_clock::now() + time);
    if (!options.token.empty()) context.AddMetadata("authorization", "Bearer " + options.token);
    Response response;
    const grpc::Status status = (stub.get()->*method)(&context, request, &response);
    if (status.ok()) return response;
    const auto code = static_cast<std::size_t>(status.error_code());
    throw CallError(fmt::format("{}: {}: {}", options.address, code < kCodes.size() ? kCodes[code] : "UNKNOWN",
                                status.error_message()));
  }
  milliseconds quick() const { return options.timeout.count() > 0 ? options.timeout : milliseconds(30'000); }
};

Client::Client(ClientOptions options) : state_(std::make_unique<State>()) {
  const Endpoint endpoint = parse_endpoint(options.address, "address");
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMostBytes);
  arguments.SetMaxSendMessageSize(kMostBytes);
  state_->stub =
      pb::ProvingEngine::NewStub(grpc::CreateCustomChannel(grpc_address(endpoint), credentials(options), arguments));
  state_->options = std::move(options);
}

Client::~Client() = default;

SubmittedJob Client::submit(const Submission& submission) {
  // The payload may be large and the way slow.
  const auto response =
      state_->call(&pb::ProvingEngine::Stub::SubmitProof, message_of(submission), 10 * state_->quick());
  return {response.job_id(), response.queue_position()};
}

JobResult Client::prove(const Submission& submission, milliseconds timeout) {
  pb::ProveRequest request;
  *request.mutable_submit() = message_of(submission);
  return result_of(state_->call(&pb::ProvingEngine::Stub::Prove, request, timeout).result());
}

JobResult Client::await(const std::string& job_id, milliseconds timeout) {
  pb::AwaitProofRequest request;
  request.set_job_id(job_id);
  request.set_timeout_ms(static_cast<std::uint64_t>(timeout.count()));
  return result_of(state_->call(&pb::ProvingEngine::Stub::AwaitProof, request, milliseconds(0)));
}

bool Client::cancel(const std::string& job_id) {
  pb::CancelProofRequest request;
  request.set_job_id(job_id);
  return state_->call(&pb::ProvingEngine::Stub::CancelProof, request, state_->quick()).was_running();
}

DaemonStatus Client::status() {
  const auto message = state_->call(&pb::ProvingEngine::Stub::GetStatus, pb::GetStatusRequest(), state_->quick());
  DaemonStatus out;
  for (const pb::GPUStatus& gpu : message.gpus())
    out.devices.push_back({gpu.name(), gpu.current_job_id(), gpu.current_proof_kind()});
  for (const pb::SRSStatus& srs : message.loaded_srs())
    out.circuits.push_back({srs.circuit_id(), tier_name(srs.tier()), srs.size_bytes(), srs.ref_count()});
  for (const pb::QueueStatus& queue : message.queues())
    out.queues.push_back({queue.proof_kind(), queue.pending(), queue.in_progress()});
  out.done = message.total_proofs_completed();
  out.failed = message.total_proofs_failed();
  out.uptime_seconds = message.uptime_seconds();
  return out;
}

std::string Client::status_json() {
  pb::GetStatusRequest request;
  request.set_details(true);
  return state_->call(&pb::ProvingEngine::Stub::GetStatus, request, state_->quick()).status_json();
}

std::string Client::metrics() {
  return state_->call(&pb::ProvingEngine::Stub::GetMetrics, pb::GetMetricsRequest(), state_->quick()).prometheus_text();
}

std::optional<std::uint64_t> Client::preload(const std::string& circuit_id) {
  pb::PreloadSrsRequest request;
  request.set_circuit_id(circuit_id);
  const auto response = state_->call(&pb::ProvingEngine::Stub::PreloadSRS, request, milliseconds(0));
  if (response.already_loaded()) return std::nullopt;
  return response.load_time_ms();
}

std::optional<std::uint64_t> Client::evict(const std::string& circuit_id) {
  pb::EvictSrsRequest request;
  request.set_circuit_id(circuit_id);
  const auto response = state_->call(&pb::ProvingEngine::Stub::EvictSRS, request, state_->quick());
  if (!response.was_loaded()) return std::nullopt;
  return response.freed_bytes();
}

}  // namespace proofline::service
