// Whatever clients send is refused or taken, and the daemon goes on.
#include "service/malformed.hpp"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "cuzk.grpc.pb.h"
#include "service/server.hpp"
#include "service/translate.hpp"
#include "support/instrumented.hpp"
#include "support/temp_folder.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;

TEST(Malformed, AHundredThousandMessagesAreRefusedOrTaken) {
  test::MalformedRequests requests(1);
  int unreadable = 0, refused = 0, taken = 0;
  for (int i = 0; i < 100'000; ++i) {
    pb::SubmitProofRequest message;
    if (!message.ParseFromString(requests.next())) {
      ++unreadable;
      continue;
    }
    try {
      engine::make_task(take_submission(message).request);
      ++taken;
    } catch (const Error&) {
      ++refused;
    }
  }
  // Damage deep in a vanilla proof is found when its witness is made.
  EXPECT_GT(unreadable, 10'000);
  EXPECT_GT(refused, 30'000);
  EXPECT_GT(taken, 1'000);
}

/// Bytes as they are, to a method by name.
class RawClient {
 public:
  explicit RawClient(const std::string& address)
      : stub_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())) {}

  grpc::Status call(const std::string& method, const std::string& bytes) {
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    auto call = stub_.PrepareUnaryCall(&context, "/cuzk.v1.ProvingEngine/" + method, request, &queue_);
    call->StartCall();
    grpc::ByteBuffer response;
    grpc::Status status;
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue_.Next(&tag, &ok);
    return status;
  }

 private:
  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
};

TEST(Malformed, ADaemonThatGetsThemGoesOn) {
  const test::TempFolder folder;
  Config config;
  config.daemon.listen = "unix://" + (folder / "socket").string();
  config.daemon.state_dir = folder / "state";
  config.daemon.max_requests_per_second = 0;
  config.memory.total_budget = test::with_sanitizer_memory(std::uint64_t{96} << 20);
  config.srs.param_cache = folder / "none";
  config.synthesis.threads = 1;
  config.logging.level = "off";
  const Log log(config.logging);
  EngineHost host(config, log);
  const Server server(host, config);
  RawClient client(server.address());

  test::MalformedRequests requests(2);
  std::map<int, int> codes;
  for (int i = 0; i < 1500; ++i) {
    const std::string submit = requests.next();
    std::string prove = "\x0a";  // field 1, as bytes
    for (std::size_t size = submit.size(); true; size >>= 7) {
      prove += static_cast<char>((size & 127) | (size > 127 ? 128 : 0));
      if (size <= 127) break;
    }
    prove += submit;
    ++codes[client.call("SubmitProof", submit).error_code()];
    ++codes[client.call("Prove", prove).error_code()];
    ++codes[client.call(i % 2 == 0 ? "AwaitProof" : "CancelProof", submit.substr(0, 100)).error_code()];
    client.call(i % 2 == 0 ? "PreloadSRS" : "EvictSRS", submit.substr(0, 100));
    if (i % 100 == 0) client.call("GetStatus", submit), client.call("NoSuchMethod", submit);
  }
  EXPECT_GT(codes[grpc::INVALID_ARGUMENT], 1000);
  EXPECT_GT(codes[grpc::FAILED_PRECONDITION], 0) << "sound, but there are no parameters";
  EXPECT_EQ(codes[grpc::OK], 0);
  EXPECT_EQ(codes[grpc::UNKNOWN], 0);
  EXPECT_EQ(codes[grpc::DEADLINE_EXCEEDED], 0);
  EXPECT_EQ(codes[grpc::UNAVAILABLE], 0);
  EXPECT_TRUE(client.call("GetStatus", "").ok());
  EXPECT_TRUE(host.journal().unfinished().empty());
}

}  // namespace
}  // namespace proofline::service
