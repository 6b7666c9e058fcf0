#pragma once
/// A server in this process, over an engine of small proofs (engine/engine_fixture.hpp), on a Unix socket.
#include <grpcpp/grpcpp.h>

#include "cuzk.grpc.pb.h"
#include "engine/engine_fixture.hpp"
#include "service/server.hpp"
#include "support/instrumented.hpp"

namespace proofline::test {

namespace pb = cuzk::v1;

class ServerFixture : public testing::Test {
 protected:
  using Stub = pb::ProvingEngine::Stub;

  static CubicKits& kits() {
    static CubicKits all;
    return all;
  }

  ServerFixture() {
    config_.daemon.listen = "unix://" + (folder_ / "socket").string();
    config_.daemon.state_dir = folder_ / "state";
    config_.daemon.max_requests_per_second = 0;
    config_.memory.total_budget = with_sanitizer_memory(256 << 20);
    config_.srs.param_cache = folder_ / "params";
    config_.logging.level = "off";
  }

  /// The steps of devices wait at the gate when `gated`.
  void start(bool gated = false) {
    log_ = std::make_unique<service::Log>(config_.logging);
    service::HostParts parts;
    parts.kits = &kits();
    parts.make_task = [](engine::ProofRequest request) -> std::shared_ptr<const engine::ProofTask> {
      return std::make_shared<const CubicTask>(std::move(request.c1));
    };
    ToldBackend::Told told;
    if (gated) told = [this](std::stop_token stop) { gate_.wait(stop); };
    parts.backends.push_back(std::make_unique<ToldBackend>("cpu", exec_, std::move(told)));
    host_ = std::make_unique<service::EngineHost>(config_, *log_, std::move(parts));
    server_ = std::make_unique<service::Server>(*host_, config_);
    stub_ = new_stub();
  }
  void stop() {
    server_.reset();
    host_.reset();
  }
  std::unique_ptr<Stub> new_stub() const {
    // A channel of its own each: a channel knows whom it could not reach for a while.
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetMaxReceiveMessageSize(-1);
    return pb::ProvingEngine::NewStub(
        grpc::CreateCustomChannel(server_->address(), grpc::InsecureChannelCredentials(), arguments));
  }

  static pb::SubmitProofRequest request(const std::string& values, const std::string& id = "") {
    pb::SubmitProofRequest out;
    out.set_request_id(id);
    out.set_proof_kind(pb::POREP_SEAL_COMMIT);
    out.set_vanilla_proof(values);
    return out;
  }
  static pb::ProveRequest prove_request(const std::string& values, const std::string& id = "") {
    pb::ProveRequest out;
    *out.mutable_submit() = request(values, id);
    return out;
  }

  struct Answer {
    grpc::Status status;
    pb::AwaitProofResponse result;
  };
  Answer prove(const std::string& values, const std::string& id = "") {
    grpc::ClientContext context;
    pb::ProveResponse response;
    const grpc::Status status = stub_->Prove(&context, prove_request(values, id), &response);
    return {status, response.result()};
  }
  grpc::Status submit(const std::string& values, const std::string& id, pb::SubmitProofResponse* response = nullptr) {
    grpc::ClientContext context;
    pb::SubmitProofResponse ignored;
    return stub_->SubmitProof(&context, request(values, id), response == nullptr ? &ignored : response);
  }
  Answer await(const std::string& id, std::uint64_t timeout_ms = 0) {
    grpc::ClientContext context;
    pb::AwaitProofRequest wanted;
    wanted.set_job_id(id);
    wanted.set_timeout_ms(timeout_ms);
    Answer answer;
    answer.status = stub_->AwaitProof(&context, wanted, &answer.result);
    return answer;
  }
  pb::GetStatusResponse status() {
    grpc::ClientContext context;
    pb::GetStatusResponse response;
    EXPECT_TRUE(stub_->GetStatus(&context, {}, &response).ok());
    return response;
  }

  static void expect_proofs(const Answer& answer, const std::string& values) {
    ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
    ASSERT_EQ(answer.result.status(), pb::AwaitProofResponse::COMPLETED) << answer.result.error_message();
    const std::string& proof = answer.result.proof();
    ASSERT_EQ(proof.size(), values.size() * groth16::Proof::kBytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::array<std::uint8_t, groth16::Proof::kBytes> bytes;
      std::copy_n(proof.begin() + static_cast<std::ptrdiff_t>(i * bytes.size()), bytes.size(), bytes.begin());
      const Fr inputs[] = {cubic_output(static_cast<std::uint8_t>(values[i]))};
      EXPECT_TRUE(groth16::verify(kits().key(), inputs, groth16::Proof::from_bytes(bytes, "proof")));
    }
  }
  /// Waits for it: for ten seconds at most.
  static bool becomes(const std::function<bool()>& condition) {
    for (int i = 0; i < 10'000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  TempFolder folder_;
  Executor exec_{1};
  Gate gate_;
  service::Config config_;
  std::unique_ptr<service::Log> log_;
  std::unique_ptr<service::EngineHost> host_;
  std::unique_ptr<service::Server> server_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace proofline::test
