#include "service/server.hpp"

#include <grpcpp/generic/generic_stub.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include "service/client.hpp"
#include "service/server_fixture.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;
using namespace std::chrono_literals;
using grpc::StatusCode;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ServerTest : public test::ServerFixture {};

TEST_F(ServerTest, ProveAnswersWithTheProofs) {
  start();
  const Answer answer = prove("\x03\x07", "porep-1000-1");
  expect_proofs(answer, "\x03\x07");
  EXPECT_EQ(answer.result.job_id(), "porep-1000-1");
  EXPECT_GE(answer.result.total_ms(), answer.result.queue_wait_ms());
  EXPECT_GE(answer.result.queue_wait_ms(), answer.result.srs_load_ms());
  const Answer unnamed = prove("\x04");
  expect_proofs(unnamed, "\x04");
  EXPECT_THAT(unnamed.result.job_id(), testing::StartsWith("proofline-"));
}

TEST_F(ServerTest, WhatIsSubmittedCanBeAwaited) {
  start();
  pb::SubmitProofResponse response;
  ASSERT_TRUE(submit("\x05", "wdpost-1000-0-[1 2 3]", &response).ok());
  EXPECT_EQ(response.job_id(), "wdpost-1000-0-[1 2 3]");
  expect_proofs(await(response.job_id()), "\x05");
  expect_proofs(await(response.job_id(), 1), "\x05");
}

TEST_F(ServerTest, AFailedProofIsNoFailedCall) {
  start();
  const Answer answer = prove("\xfe");
  ASSERT_TRUE(answer.status.ok());
  EXPECT_EQ(answer.result.status(), pb::AwaitProofResponse::FAILED);
  EXPECT_THAT(answer.result.error_message(), HasSubstr("vanilla proof of 254 is damaged"));
  EXPECT_TRUE(answer.result.proof().empty());
}

TEST_F(ServerTest, BadRequestsNameTheirField) {
  start();
  const auto expect = [&](const grpc::Status& status, StatusCode code, const std::string& text) {
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(text));
  };
  expect(prove("").status, StatusCode::INVALID_ARGUMENT, "vanilla_proof: is empty");
  expect(prove("\xff").status, StatusCode::INVALID_ARGUMENT, "c1: 255 is no value");
  expect(submit("\x01", std::string(600, 'x')), StatusCode::INVALID_ARGUMENT, "request_id: 600 bytes");
  expect(await("").status, StatusCode::INVALID_ARGUMENT, "job_id: is empty");
  expect(await("nobody").status, StatusCode::NOT_FOUND, "there is no job \"nobody\"");
  {
    grpc::ClientContext context;
    pb::ProveResponse response;
    expect(stub_->Prove(&context, {}, &response), StatusCode::INVALID_ARGUMENT, "submit: is missing");
  }
  {
    grpc::ClientContext context;
    pb::CancelProofRequest wanted;
    wanted.set_job_id("nobody");
    pb::CancelProofResponse response;
    expect(stub_->CancelProof(&context, wanted, &response), StatusCode::NOT_FOUND, "there is no job \"nobody\"");
  }
  EXPECT_TRUE(host_->journal().unfinished().empty());
  EXPECT_TRUE(host_->journal().finished(10).empty());
}

TEST_F(ServerTest, ARequestIdIsOneJob) {
  start(true);
  ASSERT_TRUE(submit("\x03", "id").ok());
  ASSERT_TRUE(submit("\x03", "id").ok());
  EXPECT_EQ(host_->journal().unfinished().size(), 1U);
  EXPECT_EQ(submit("\x04", "id").error_code(), StatusCode::ALREADY_EXISTS);
  gate_.open();
  const Answer first = prove("\x03", "id");
  expect_proofs(first, "\x03");
  EXPECT_EQ(prove("\x03", "id").result.proof(), first.result.proof()) << "the kept result: blinding would change it";
  EXPECT_EQ(prove("\x04", "id").status.error_code(), StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(host_->engine().status().done, 1U);
  EXPECT_EQ(prove("\xfe", "bad").result.status(), pb::AwaitProofResponse::FAILED);
  EXPECT_EQ(prove("\xfe", "bad").result.status(), pb::AwaitProofResponse::FAILED);
  EXPECT_EQ(host_->engine().status().failed, 2U) << "after failure it starts again";
}

TEST_F(ServerTest, AwaitKeepsItsTimeout) {
  start(true);
  ASSERT_TRUE(submit("\x03", "id").ok());
  const auto begin = std::chrono::steady_clock::now();
  const Answer answer = await("id", 50);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 50ms);
  EXPECT_EQ(answer.result.status(), pb::AwaitProofResponse::TIMEOUT);
  EXPECT_THAT(answer.result.error_message(), HasSubstr("the job goes on"));
  gate_.open();
  expect_proofs(await("id"), "\x03");
}

TEST_F(ServerTest, ACancelledJobEnds) {
  start(true);
  ASSERT_TRUE(submit("\x03", "id").ok());
  const auto cancel = [&] {
    grpc::ClientContext context;
    pb::CancelProofRequest wanted;
    wanted.set_job_id("id");
    pb::CancelProofResponse response;
    EXPECT_TRUE(stub_->CancelProof(&context, wanted, &response).ok());
    return response.was_running();
  };
  EXPECT_TRUE(cancel());
  EXPECT_EQ(await("id").result.status(), pb::AwaitProofResponse::CANCELLED);
  EXPECT_FALSE(cancel());
  EXPECT_EQ(host_->engine().status().cancelled, 1U);
}

/// A Prove call that its caller can leave.
class LeavableProve {
 public:
  LeavableProve(pb::ProvingEngine::Stub& stub, const pb::ProveRequest& request)
      : thread_([this, &stub, request] { status_ = stub.Prove(&context_, request, &response_); }) {}
  void leave() {
    context_.TryCancel();
    thread_.join();
  }
  const grpc::Status& wait() {
    thread_.join();
    return status_;
  }

 private:
  grpc::ClientContext context_;
  pb::ProveResponse response_;
  grpc::Status status_;
  std::thread thread_;
};

TEST_F(ServerTest, ACallerOfProveThatLeavesTakesItsJobWithIt) {
  start(true);
  LeavableProve alone(*stub_, prove_request("\x03", "alone"));
  ASSERT_TRUE(becomes([&] { return host_->engine().jobs().size() == 1; }));
  alone.leave();
  EXPECT_TRUE(becomes([&] { return host_->engine().status().cancelled == 1; }));
  EXPECT_EQ(await("alone").result.status(), pb::AwaitProofResponse::CANCELLED);
}

TEST_F(ServerTest, AJobThatAnotherWantsStays) {
  start(true);
  const auto waiting = [&](std::size_t jobs) { return becomes([&] { return host_->engine().jobs().size() == jobs; }); };
  LeavableProve first(*stub_, prove_request("\x03", "both"));
  ASSERT_TRUE(waiting(1));
  LeavableProve second(*stub_, prove_request("\x03", "both"));
  // A submission is acknowledged: its job does not depend on callers of Prove.
  LeavableProve of_submitted(*stub_, prove_request("\x04", "submitted"));
  ASSERT_TRUE(waiting(2));
  ASSERT_TRUE(submit("\x04", "submitted").ok());
  std::this_thread::sleep_for(200ms);
  first.leave();
  of_submitted.leave();
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(host_->engine().jobs().size(), 2U);
  gate_.open();
  EXPECT_TRUE(second.wait().ok());
  expect_proofs(await("both"), "\x03");
  expect_proofs(await("submitted"), "\x04");
}

TEST_F(ServerTest, ARestartForgetsNeitherWhoWantsAJobNorTheJob) {
  start(true);
  ASSERT_TRUE(submit("\x03", "submitted").ok());
  LeavableProve proved(*stub_, prove_request("\x04", "proved"));
  LeavableProve unwanted(*stub_, prove_request("\x05", "unwanted"));
  ASSERT_TRUE(becomes([&] { return host_->engine().jobs().size() == 3; }));
  stop();
  proved.wait();
  unwanted.wait();
  start(true);
  const auto rejoined_and_left = [&](const std::string& values, const std::string& id) {
    LeavableProve again(*stub_, prove_request(values, id));
    std::this_thread::sleep_for(200ms);
    again.leave();
  };
  rejoined_and_left("\x03", "submitted");
  rejoined_and_left("\x04", "proved");
  EXPECT_TRUE(becomes([&] { return host_->engine().status().cancelled == 1; }));
  EXPECT_EQ(await("proved").result.status(), pb::AwaitProofResponse::CANCELLED);
  gate_.open();
  expect_proofs(await("submitted"), "\x03");
  // Nobody has come back for it, and nobody has left.
  expect_proofs(await("unwanted"), "\x05");
}

TEST_F(ServerTest, LargeRequestsWaitForMemoryAndNotForEver) {
  config_.daemon.upload_timeout = 2s;
  start();
  // Refused when it is parsed: what is no request needs memory, too.
  const std::string large(std::size_t{2} << 20, '\xff');
  const auto answer = [&] { return prove(large, "large").status; };
  EXPECT_EQ(answer().error_code(), StatusCode::INVALID_ARGUMENT) << answer().error_message();
  const auto state = [&] { return host_->ledger().state(engine::Pool::host()); };
  const std::uint64_t before = state().reserved;
  std::optional<engine::Reservation> all = host_->ledger().try_reserve(
      {engine::Pool::host(), engine::MemoryClass::kOutput, state().budget - before - 1000, engine::Priority::kNormal});
  ASSERT_TRUE(all);
  const grpc::Status refused = answer();
  EXPECT_EQ(refused.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("no memory for a request of 2"));
  EXPECT_EQ(prove("\xff").status.error_code(), StatusCode::INVALID_ARGUMENT) << "small ones do not wait";
  std::thread later([&] {
    std::this_thread::sleep_for(300ms);
    all->release();
  });
  EXPECT_EQ(answer().error_code(), StatusCode::INVALID_ARGUMENT);
  later.join();
  EXPECT_EQ(state().reserved, before);
}

TEST_F(ServerTest, TheStatusTellsWhatIsWorkedOn) {
  start(true);
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(submit(std::string(1, static_cast<char>(i)), "job-" + std::to_string(i)).ok());
  gate_.wait_for_waiting(1);
  const auto counts = [&] {
    const pb::GetStatusResponse now = status();
    for (const pb::QueueStatus& queue : now.queues()) {
      if (queue.proof_kind() == "porep-c2") return std::pair(queue.pending(), queue.in_progress());
    }
    return std::pair(0U, 0U);
  };
  EXPECT_TRUE(becomes([&] { return counts().second >= 1; }));
  EXPECT_EQ(counts().first + counts().second, 5U);
  const pb::GetStatusResponse busy = status();
  ASSERT_EQ(busy.gpus_size(), 1);
  EXPECT_EQ(busy.gpus(0).name(), "cpu");
  EXPECT_EQ(busy.gpus(0).current_job_id(), "job-0");
  EXPECT_EQ(busy.gpus(0).current_proof_kind(), "porep-c2");
  EXPECT_EQ(busy.queues_size(), 4);
  pb::SubmitProofResponse last;
  ASSERT_TRUE(submit("\x09", "last", &last).ok());
  EXPECT_EQ(last.queue_position(), counts().first - 1);
  gate_.open();
  for (int i = 0; i < 5; ++i) expect_proofs(await("job-" + std::to_string(i)), std::string(1, static_cast<char>(i)));
  expect_proofs(await("last"), "\x09");
  EXPECT_EQ(status().total_proofs_completed(), 6U);
  EXPECT_EQ(status().total_proofs_failed(), 0U);

  grpc::ClientContext context;
  pb::GetMetricsResponse metrics;
  ASSERT_TRUE(stub_->GetMetrics(&context, {}, &metrics).ok());
  EXPECT_THAT(metrics.prometheus_text(),
              testing::AllOf(HasSubstr("proofline_jobs_ended_total{kind=\"porep_c2\",outcome=\"done\"} 6\n"),
                             HasSubstr("proofline_jobs{kind=\"porep_c2\",state=\"queued\"} 0\n"),
                             HasSubstr("proofline_memory_budget_bytes{pool=\"host\"} "),
                             HasSubstr("proofline_device_partitions_total{device=\"0\",name=\"cpu\"} 6\n")));
}

TEST_F(ServerTest, LimitsRefuseWithoutForgettingRepeatedRequests) {
  config_.daemon.max_jobs_per_client = 2;
  config_.daemon.max_message_size = 4096;
  start(true);
  ASSERT_TRUE(submit("\x01", "1").ok());
  ASSERT_TRUE(submit("\x02", "2").ok());
  const grpc::Status third = submit("\x03", "3");
  EXPECT_EQ(third.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(third.error_message(), HasSubstr("daemon.max_jobs_per_client"));
  EXPECT_TRUE(submit("\x02", "2").ok()) << "it is the same job";
  EXPECT_EQ(submit(std::string(5000, '\1'), "large").error_code(), StatusCode::RESOURCE_EXHAUSTED);
  config_.daemon.max_jobs_per_client = 0;
  config_.scheduler.max_queue = 3;
  server_->reload(config_);
  EXPECT_TRUE(submit("\x03", "3").ok());
  const grpc::Status fourth = submit("\x04", "4");
  EXPECT_EQ(fourth.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(fourth.error_message(), HasSubstr("scheduler.max_queue"));
  config_.daemon.max_requests_per_second = 1;
  server_->reload(config_);
  EXPECT_TRUE(await("1", 1).status.ok());
  EXPECT_TRUE(await("1", 1).status.ok());
  EXPECT_THAT(await("1", 1).status.error_message(), HasSubstr("daemon.max_requests_per_second"));
}

TEST_F(ServerTest, CallsThatWaitAreBounded) {
  config_.daemon.max_calls = 1;
  start(true);
  LeavableProve one(*stub_, prove_request("\x03", "one"));
  ASSERT_TRUE(becomes([&] { return host_->engine().jobs().size() == 1; }));
  const grpc::Status second = await("one").status;
  EXPECT_EQ(second.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(second.error_message(), HasSubstr("daemon.max_calls"));
  EXPECT_EQ(status().queues_size(), 4) << "calls that do not wait are served";
  gate_.open();
  EXPECT_TRUE(one.wait().ok());
}

TEST_F(ServerTest, AnUploadThatDoesNotComeIsGivenUp) {
  config_.daemon.max_uploads = 1;
  config_.daemon.upload_timeout = 200ms;
  start();
  grpc::GenericStub stub(grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  // The call without its message.
  const auto call = stub.PrepareCall(&context, "/cuzk.v1.ProvingEngine/Prove", &queue);
  const auto done = [&] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  call->StartCall(nullptr);
  ASSERT_TRUE(done());
  grpc::Status status;
  call->Finish(&status, nullptr);
  ASSERT_TRUE(done());
  EXPECT_EQ(status.error_code(), StatusCode::CANCELLED) << status.error_message();
  expect_proofs(prove("\x03"), "\x03");
}

TEST_F(ServerTest, ATokenIsAskedForWhereThereIsOne) {
  const std::string text = "a-token-of-some-length\n";
  config_.daemon.token_file = folder_ / "tokens";
  test::write_bytes(config_.daemon.token_file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  std::filesystem::permissions(config_.daemon.token_file, std::filesystem::perms::owner_read);
  start();
  EXPECT_EQ(prove("\x03").status.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(await("x").status.error_code(), StatusCode::UNAUTHENTICATED);
  ClientOptions options{.address = config_.daemon.listen, .token = "a-token-of-some-length", .tls_ca = {}};
  EXPECT_EQ(Client(options).status().done, 0U);
  options.token = "another-token-of-some";
  EXPECT_THAT([&] { Client(options).status(); }, ThrowsMessage<CallError>(HasSubstr("UNAUTHENTICATED")));
}

/// A certificate for 127.0.0.1 that signs itself, and its key, as PEM files.
void write_certificate(const std::filesystem::path& certificate, const std::filesystem::path& key) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> cert(X509_new(), X509_free);
  X509_set_version(cert.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
  X509_NAME* name = X509_get_subject_name(cert.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(cert.get(), name);
  X509_set_pubkey(cert.get(), pair.get());
  X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(cert.get(), names, -1);
  X509_EXTENSION_free(names);
  ASSERT_GT(X509_sign(cert.get(), pair.get(), EVP_sha256()), 0);
  const auto write = [](const std::filesystem::path& file, auto&& body) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new_file(file.c_str(), "w"), BIO_free);
    ASSERT_EQ(body(out.get()), 1);
  };
  write(certificate, [&](BIO* out) { return PEM_write_bio_X509(out, cert.get()); });
  write(key,
        [&](BIO* out) { return PEM_write_bio_PrivateKey(out, pair.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

TEST_F(ServerTest, TlsIsSpokenWhereThereIsACertificate) {
  config_.daemon.listen = "127.0.0.1:0";
  config_.daemon.tls_certificate = folder_ / "cert.pem";
  config_.daemon.tls_key = folder_ / "key.pem";
  write_certificate(config_.daemon.tls_certificate, config_.daemon.tls_key);
  start();
  ClientOptions options{.address = server_->address(), .token = {}, .tls_ca = config_.daemon.tls_certificate};
  EXPECT_EQ(Client(options).status().queues.size(), 4U);
  options.tls_ca.clear();
  EXPECT_THAT([&] { Client(options).status(); }, ThrowsMessage<CallError>(HasSubstr("UNAVAILABLE")));
  stop();
  config_.daemon.tls_key = folder_ / "none.pem";
  EXPECT_THROW(start(), IoError);
}

TEST_F(ServerTest, TheSocketHasItsMode) {
  config_.daemon.socket_mode = 0600;
  start();
  struct stat info {};
  ASSERT_EQ(::stat((folder_ / "socket").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(ServerTest, AnAddressInUseIsToldAndSoIsAJournalInUse) {
  config_.daemon.listen = "127.0.0.1:0";
  start();
  Config second = config_;
  second.daemon.listen = server_->address();
  EXPECT_THAT([&] { Server(*host_, second); }, ThrowsMessage<IoError>(HasSubstr("cannot listen there")));
  EXPECT_THROW(EngineHost(second, *log_), IoError);
}

TEST_F(ServerTest, DrainingRefusesNewJobsOnly) {
  start(true);
  ASSERT_TRUE(submit("\x03", "old").ok());
  server_->begin_drain();
  EXPECT_EQ(submit("\x04", "new").error_code(), StatusCode::UNAVAILABLE);
  EXPECT_TRUE(submit("\x03", "old").ok());
  gate_.open();
  expect_proofs(prove("\x03", "old"), "\x03");
}

TEST_F(ServerTest, StoppingEndsCallsAndKeepsJobs) {
  start(true);
  LeavableProve waiting(*stub_, prove_request("\x03", "kept"));
  ASSERT_TRUE(becomes([&] { return host_->engine().jobs().size() == 1; }));
  server_->stop();
  const grpc::Status status = waiting.wait();
  EXPECT_EQ(status.error_code(), StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("the job is kept"));
  EXPECT_EQ(host_->engine().jobs().size(), 1U);
  stop();
  gate_.open();
  start();
  expect_proofs(prove("\x03", "kept"), "\x03");
  EXPECT_EQ(host_->journal().finished(10).size(), 1U);
}

TEST_F(ServerTest, JobsOfAbsentParametersFailAtOnce) {
  log_ = std::make_unique<Log>(config_.logging);
  EngineHost host(config_, *log_);
  EXPECT_THAT([&] { host.require_circuit("wpost-32g"); },
              ThrowsMessage<MissingParameters>(
                  testing::AllOf(HasSubstr("wpost-32g: no parameters at " + (folder_ / "params").string() + "/v28-"),
                                 HasSubstr("curio fetch-params"))));
  stop();
}

}  // namespace
}  // namespace proofline::service
