#include <future>

#include "service/server_fixture.hpp"

namespace proofline::service {
namespace {

namespace pb = cuzk::v1;

class LoadTest : public test::ServerFixture {};

TEST_F(LoadTest, TwoHundredCallersAndTwoThousandPolls) {
  start();
  constexpr int kCallers = 200, kPollers = 4, kPolls = 500;
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < kCallers; ++i) {
    answers.push_back(std::async(std::launch::async, [this, i] {
      grpc::ClientContext context;
      pb::ProveResponse response;
      const std::string values(1 + i % 2, static_cast<char>(i % 250));
      const grpc::Status status = stub_->Prove(&context, prove_request(values, "job-" + std::to_string(i)), &response);
      return Answer{status, response.result()};
    }));
  }
  std::vector<std::future<int>> polls;
  for (int poller = 0; poller < kPollers; ++poller) {
    polls.push_back(std::async(std::launch::async, [this] {
      int good = 0;
      const auto stub = new_stub();
      for (int i = 0; i < kPolls; ++i) {
        grpc::ClientContext context;
        pb::GetStatusResponse response;
        if (stub->GetStatus(&context, {}, &response).ok() && response.queues_size() == 4) ++good;
      }
      return good;
    }));
  }
  for (auto& poller : polls) EXPECT_EQ(poller.get(), kPolls);
  for (int i = 0; i < kCallers; ++i)
    expect_proofs(answers[static_cast<std::size_t>(i)].get(), std::string(1 + i % 2, static_cast<char>(i % 250)));
  EXPECT_EQ(status().total_proofs_completed(), static_cast<unsigned>(kCallers));
  const engine::MemoryLedger::PoolState memory = host_->ledger().state(engine::Pool::host());
  EXPECT_LE(memory.peak, memory.budget);
}

}  // namespace
}  // namespace proofline::service
