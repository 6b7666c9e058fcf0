#include "service/proving_service.hpp"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <condition_variable>
#include <thread>

#include "base/units.hpp"
#include "cuzk.grpc.pb.h"
#include "engine/request_id.hpp"
#include "filecoin/circuit_id.hpp"
#include "service/kind_names.hpp"
#include "service/metrics.hpp"
#include "service/status_json.hpp"
#include "service/status_message.hpp"
#include "service/translate.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;
using namespace std::chrono_literals;

/// How often a waiting call looks whether its client is still there.
constexpr auto kGlance = 100ms;

/// Requests up to here are not counted in the ledger: a WinningPoSt must not wait for memory, and the few that are read
/// at a time fit into what the budget leaves beside the ledger.
constexpr std::uint64_t kSmallRequest = std::uint64_t{1} << 20;
/// What a request takes until its job is accepted, to its size: as message or translated, parsed, and as bytes for the
/// journal.
constexpr std::uint64_t kRequestCopies = 3;

/// A call that ends with this status.
struct Refused {
  Status status;
};

Status stopping_status() {
  return {StatusCode::UNAVAILABLE, "the daemon is stopping; the job is kept: repeat the call when it is back"};
}

/// Runs a call's body; what it throws becomes the call's status.
template <class Body>
Status answered(const CallState& state, std::string_view call, const Body& body) {
  try {
    body();
    return Status::OK;
  } catch (const Refused& refused) {
    return refused.status;
  } catch (const engine::RequestIdTaken& error) {
    return {StatusCode::ALREADY_EXISTS, error.what()};
  } catch (const MissingParameters& error) {
    return {StatusCode::FAILED_PRECONDITION, error.what()};
  } catch (const CircuitNotServed& error) {
    return {StatusCode::FAILED_PRECONDITION, error.what()};
  } catch (const engine::ShuttingDown& error) {
    return {StatusCode::UNAVAILABLE, error.what()};
  } catch (const engine::ImpossibleReservation& error) {
    return {StatusCode::RESOURCE_EXHAUSTED, error.what()};
  } catch (const InputError& error) {
    return {StatusCode::INVALID_ARGUMENT, error.what()};
  } catch (const std::bad_alloc&) {
    state.host.log().error("not enough memory", {{"call", std::string(call)}});
    return {StatusCode::RESOURCE_EXHAUSTED, "not enough memory"};
  } catch (const std::exception& error) {
    state.host.log().error("call failed", {{"call", std::string(call)}, {"error", error.what()}});
    return {StatusCode::INTERNAL, error.what()};
  }
}

/// Cancels the call when its client takes too long to send it.
class UploadWatch {
 public:
  UploadWatch(ServerContext& context, milliseconds timeout)
      : thread_([this, &context, timeout](std::stop_token stop) {
          std::unique_lock lock(mutex_);
          changed_.wait_for(lock, stop, timeout, [] { return false; });
          if (!stop.stop_requested()) context.TryCancel();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

/// Requests `stop()` when the client of a call goes away or the daemon stops.
class CallWatch {
 public:
  CallWatch(const CallState& state, ServerContext& context)
      : thread_([this, &state, &context](std::stop_token stop) {
          std::unique_lock lock(mutex_);
          while (!stop.stop_requested() && !context.IsCancelled() && !state.stopping)
            changed_.wait_for(lock, stop, kGlance, [] { return false; });
          source_.request_stop();
        }) {}
  std::stop_token stop() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

/// The calls that carry a proof's inputs are served as streams of one message: their body is read when there is room
/// for it, into a message that dies as soon as it has been translated.
using Base = pb::ProvingEngine::WithStreamedUnaryMethod_SubmitProof<
    pb::ProvingEngine::WithStreamedUnaryMethod_Prove<pb::ProvingEngine::Service>>;

class ProvingService final : public Base {
 public:
  explicit ProvingService(CallState& state) : state_(state) {}

  Status StreamedSubmitProof(
      ServerContext* context,
      grpc::ServerUnaryStreamer<pb::SubmitProofRequest, pb::SubmitProofResponse>* stream) override {
    return answered(state_, "SubmitProof", [&] {
      require_allowed(*context);
      Upload upload = received<pb::SubmitProofRequest>(
          *context, *stream, [](pb::SubmitProofRequest& message) -> pb::SubmitProofRequest& { return message; });
      const JobClaims::Claim claim(state_.claims, upload.id());
      pb::SubmitProofResponse response;
      response.set_job_id(upload.id());
      const JobId job = submitted(*context, std::move(upload));
      response.set_queue_position(queue_position(job));
      stream->Write(response);
    });
  }

  Status StreamedProve(ServerContext* context,
                       grpc::ServerUnaryStreamer<pb::ProveRequest, pb::ProveResponse>* stream) override {
    return answered(state_, "Prove", [&] {
      require_allowed(*context);
      Upload upload =
          received<pb::ProveRequest>(*context, *stream, [](pb::ProveRequest& message) -> pb::SubmitProofRequest& {
            if (!message.has_submit()) throw InputError("submit: is missing");
            return *message.mutable_submit();
          });
      const WaitingCall waiting(state_);
      const std::string id = upload.id();
      // Nobody has been told that the job is accepted: it is this caller's alone.
      upload.submission.options.is_kept = false;
      JobClaims::Claim claim(state_.claims, id);
      const JobId job = submitted(*context, std::move(upload));
      const JobStatus status = awaited(*context, job, std::nullopt);
      if (!engine::is_final(status.record.state)) {
        const auto cancel = [&] { return !engine().status(job).record.is_kept && engine().cancel(job); };
        if (!state_.stopping && claim.abandon(cancel))
          log().info("caller of Prove has gone away: its job is cancelled", {{"job", id}});
        throw not_answered(*context);
      }
      pb::ProveResponse response;
      fill_result(status, *response.mutable_result());
      stream->Write(response);
    });
  }

  Status AwaitProof(ServerContext* context, const pb::AwaitProofRequest* request,
                    pb::AwaitProofResponse* response) override {
    return answered(state_, "AwaitProof", [&] {
      require_allowed(*context);
      std::optional<milliseconds> timeout;
      // What is beyond a century is no timeout.
      constexpr std::uint64_t kMost = std::uint64_t{100} * 365 * 24 * 3600 * 1000;
      if (request->timeout_ms() > 0 && request->timeout_ms() < kMost)
        timeout = milliseconds(static_cast<std::int64_t>(request->timeout_ms()));
      const WaitingCall waiting(state_);
      const JobClaims::Claim claim(state_.claims, request->job_id());
      const JobStatus status = awaited(*context, job_of(request->job_id()), timeout);
      if (engine::is_final(status.record.state)) return fill_result(status, *response);
      if (context->IsCancelled() || state_.stopping) throw not_answered(*context);
      response->set_job_id(request->job_id());
      response->set_status(pb::AwaitProofResponse::TIMEOUT);
      response->set_error_message(fmt::format("not done within the call's {} ms; the job goes on ({})",
                                              request->timeout_ms(), engine::job_state_name(status.record.state)));
    });
  }

  Status CancelProof(ServerContext* context, const pb::CancelProofRequest* request,
                     pb::CancelProofResponse* response) override {
    return answered(state_, "CancelProof", [&] {
      require_allowed(*context);
      response->set_was_running(engine().cancel(job_of(request->job_id())));
    });
  }

  Status GetStatus(ServerContext* context, const pb::GetStatusRequest* request,
                   pb::GetStatusResponse* response) override {
    return answered(state_, "GetStatus", [&] {
      require_allowed(*context);
      fill_status(state_.host, *response);
      if (request->details())
        response->set_status_json(
            status_json(state_.host, state_.draining ? DaemonPhase::kDraining : DaemonPhase::kServing));
    });
  }

  Status GetMetrics(ServerContext* context, const pb::GetMetricsRequest*, pb::GetMetricsResponse* response) override {
    return answered(state_, "GetMetrics", [&] {
      require_allowed(*context);
      response->set_prometheus_text(metrics_text(state_.host));
    });
  }

  Status PreloadSRS(ServerContext* context, const pb::PreloadSrsRequest* request,
                    pb::PreloadSrsResponse* response) override {
    return answered(state_, "PreloadSRS", [&] {
      require_allowed(*context);
      const WaitingCall waiting(state_);
      const engine::KitInfo before = kit(request->circuit_id());
      state_.host.require_circuit(request->circuit_id());
      response->set_already_loaded(before.circuit_bytes > 0);
      const CallWatch watch(state_, *context);
      const auto begin = std::chrono::steady_clock::now();
      if (!state_.host.store().preload(request->circuit_id(), watch.stop())) throw not_answered(*context);
      response->set_load_time_ms(static_cast<std::uint64_t>(
          std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin).count()));
      log().info("circuit loaded", {{"circuit", request->circuit_id()}});
    });
  }

  Status EvictSRS(ServerContext* context, const pb::EvictSrsRequest* request, pb::EvictSrsResponse* response) override {
    return answered(state_, "EvictSRS", [&] {
      require_allowed(*context);
      const engine::KitInfo before = kit(request->circuit_id());
      try {
        state_.host.store().evict(request->circuit_id());
      } catch (const InputError& error) {
        throw Refused{Status(StatusCode::FAILED_PRECONDITION, error.what())};
      }
      if (before.circuit_bytes == 0) return;
      response->set_was_loaded(true);
      response->set_freed_bytes(before.circuit_bytes + engine::ParameterStore::kParameterBytes);
      log().info("circuit evicted", {{"circuit", request->circuit_id()}});
    });
  }

 private:
  using JobId = engine::JobId;
  using JobStatus = engine::JobStatus;

  /// A call that waits, among the number that may.
  class WaitingCall {
   public:
    explicit WaitingCall(CallState& state) : state_(state) {
      if (state_.waiting_calls.fetch_add(1) < state_.max_calls) return;
      --state_.waiting_calls;
      throw Refused{Status(StatusCode::RESOURCE_EXHAUSTED,
                           fmt::format("{} calls wait already (daemon.max_calls)", state_.max_calls))};
    }
    WaitingCall(const WaitingCall&) = delete;
    WaitingCall& operator=(const WaitingCall&) = delete;
    ~WaitingCall() { --state_.waiting_calls; }

   private:
    CallState& state_;
  };

  /// A request on its way to the engine, with its memory.
  struct Upload {
    const std::string& id() const { return submission.options.request_id; }
    engine::Reservation memory;
    Submission submission;
  };

  engine::Engine& engine() const { return state_.host.engine(); }
  const Log& log() const { return state_.host.log(); }

  static Refused not_answered(ServerContext& context) {
    if (context.IsCancelled()) return {Status(StatusCode::CANCELLED, "the caller has gone away")};
    return {stopping_status()};
  }

  void require_allowed(ServerContext& context) const {
    const std::string client = client_of_peer(context.peer());
    if (!state_.limits.take_request(client)) {
      throw Refused{Status(StatusCode::RESOURCE_EXHAUSTED,
                           "more requests a second than a client may make (daemon.max_requests_per_second)")};
    }
    const auto& metadata = context.client_metadata();
    const auto header = metadata.find("authorization");
    const std::string_view value =
        header == metadata.end() ? std::string_view() : std::string_view(header->second.data(), header->second.size());
    if (state_.tokens.accept(value)) return;
    log().warn("call without a valid token", {{"client", client}});
    throw Refused{Status(StatusCode::UNAUTHENTICATED,
                         "authorization: expected \"Bearer TOKEN\" with a token of the daemon's token_file")};
  }

  void wait_for_upload(ServerContext& context) const {
    const auto give_up = std::chrono::steady_clock::now() + state_.upload_timeout;
    while (!state_.uploads.try_acquire_for(kGlance)) {
      if (context.IsCancelled() || state_.stopping) throw not_answered(context);
      if (std::chrono::steady_clock::now() > give_up) {
        throw Refused{
            Status(StatusCode::RESOURCE_EXHAUSTED, "too many requests are being read (daemon.max_uploads); try again")};
      }
    }
  }

  /// For a request of that size, until its job is accepted. Waits for memory by looking again, never in the ledger's
  /// queue: no admission may wait for a call (docs/engine.md).
  engine::Reservation request_memory(ServerContext& context, std::uint64_t size, bool is_critical) const {
    if (size <= kSmallRequest) return {};
    const engine::MemoryRequest wanted{engine::Pool::host(), engine::MemoryClass::kInput, kRequestCopies * size,
                                       is_critical ? engine::Priority::kCritical : engine::Priority::kNormal};
    engine::MemoryLedger& ledger = state_.host.ledger();
    const auto give_up = std::chrono::steady_clock::now() + state_.upload_timeout;
    for (;; std::this_thread::sleep_for(kGlance)) {
      if (std::optional<engine::Reservation> memory = ledger.try_reserve(wanted)) return std::move(*memory);
      if (context.IsCancelled() || state_.stopping) throw not_answered(context);
      if (std::chrono::steady_clock::now() < give_up) continue;
      throw Refused{Status(StatusCode::RESOURCE_EXHAUSTED,
                           fmt::format("no memory for a request of {}: {} of the budget is in use; try again, or raise "
                                       "memory.total_budget",
                                       format_bytes(size), format_bytes(ledger.state(engine::Pool::host()).reserved)))};
    }
  }

  /// Reads the call's message and translates it. The message is gone when this returns.
  template <class Message, class Stream, class Submit>
  Upload received(ServerContext& context, Stream& stream, const Submit& submit) const {
    wait_for_upload(context);
    struct Place {
      std::counting_semaphore<>& uploads;
      ~Place() { uploads.release(); }
    } place{state_.uploads};
    Message message;
    {
      const UploadWatch watch(context, state_.upload_timeout);
      if (!stream.Read(&message)) throw InputError("the request is no " + message.GetTypeName() + ", or was cut off");
    }
    pb::SubmitProofRequest& request = submit(message);
    Upload out;
    out.memory = request_memory(context, request.ByteSizeLong(), request.proof_kind() == pb::WINNING_POST);
    out.submission = take_submission(request);
    if (out.id().empty()) out.submission.options.request_id = engine::random_request_id();
    return out;
  }

  bool is_known(const std::string& request_id) const {
    const std::optional<engine::JobRecord> known = state_.host.journal().find(request_id);
    return known && (!engine::is_final(known->state) || known->state == engine::JobState::kDone);
  }

  JobId submitted(ServerContext& context, Upload upload) const {
    Submission& submission = upload.submission;
    const std::string client = client_of_peer(context.peer());
    const std::string id = upload.id();
    if (is_known(id)) {
      const JobId job = engine().submit(std::move(submission.request), std::move(submission.options));
      log().info("request repeated", {{"job", id}, {"client", client}});
      return job;
    }
    if (state_.draining) throw engine::ShuttingDown("the daemon is stopping and takes no more jobs");
    const auto live = [this] {
      std::set<JobId> out;
      for (const JobStatus& job : engine().jobs()) out.insert(job.record.id);
      return out;
    };
    if (live().size() >= state_.max_queue) {
      throw Refused{Status(StatusCode::RESOURCE_EXHAUSTED,
                           fmt::format("{} jobs wait or run already (scheduler.max_queue)", state_.max_queue.load()))};
    }
    std::optional<ClientLimits::Place> place = state_.limits.take_place(client, live);
    if (!place) {
      throw Refused{Status(StatusCode::RESOURCE_EXHAUSTED,
                           "the client has as many jobs as it may have (daemon.max_jobs_per_client)")};
    }
    if (state_.job_timeout_ms > 0) submission.options.timeout = milliseconds(state_.job_timeout_ms);
    const engine::ProofRequest& request = submission.request;
    const LogFields fields = {{"job", id},
                              {"kind", std::string(kind_name(request.kind))},
                              {"miner", std::to_string(request.miner_id)},
                              {"sector", std::to_string(request.sector_number)},
                              {"bytes", std::to_string(request.bytes())},
                              {"client", client}};
    const JobId job = engine().submit(std::move(submission.request), std::move(submission.options));
    place->became(job);
    log().info("job accepted", fields);
    return job;
  }

  JobStatus awaited(ServerContext& context, JobId job, std::optional<milliseconds> timeout) const {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      milliseconds slice = kGlance;
      if (timeout) {
        const auto passed = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
        slice = std::clamp(*timeout - passed, milliseconds(0), milliseconds(kGlance));
      }
      JobStatus status;
      try {
        status = engine().await(job, slice);
      } catch (const InputError&) {
        throw Refused{Status(StatusCode::ABORTED, "the job has failed, and its request was started anew")};
      }
      if (engine::is_final(status.record.state) || slice == 0ms) return status;
      if (context.IsCancelled() || state_.stopping) return status;
    }
  }

  JobId job_of(const std::string& id) const {
    if (id.empty()) throw InputError("job_id: is empty");
    require_id(id, "job_id");
    const std::optional<engine::JobRecord> record = state_.host.journal().find(id);
    if (!record) throw Refused{Status(StatusCode::NOT_FOUND, "job_id: there is no job \"" + id + "\"")};
    return record->id;
  }

  std::uint32_t queue_position(JobId job) const {
    std::uint32_t ahead = 0;
    for (const JobStatus& other : engine().jobs()) {
      if (other.record.id == job) return ahead;
      if (other.record.state == engine::JobState::kQueued) ++ahead;
    }
    return 0;
  }

  engine::KitInfo kit(const std::string& circuit_id) const {
    filecoin::parse_circuit_id(circuit_id);
    const std::vector<engine::KitInfo> kits = state_.host.store().list();
    return *std::ranges::find(kits, circuit_id, &engine::KitInfo::circuit_id);
  }

  CallState& state_;
};

}  // namespace

CallState::CallState(EngineHost& the_host, const DaemonConfig& daemon)
    : host(the_host),
      uploads(the_host.receive_memory().uploads),
      upload_timeout(daemon.upload_timeout),
      max_calls(daemon.max_calls) {}

std::unique_ptr<grpc::Service> make_proving_service(CallState& state) {
  return std::make_unique<ProvingService>(state);
}

}  // namespace proofline::service
