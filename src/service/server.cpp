#include "service/server.hpp"

#include <fmt/format.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/codegen/service_type.h>
#include <grpcpp/resource_quota.h>
#include <sys/stat.h>

#include "base/file.hpp"
#include "service/endpoint.hpp"
#include "service/proving_service.hpp"

namespace proofline::service {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kServiceName = "cuzk.v1.ProvingEngine";
/// For calls that do not wait, beside those that do.
constexpr unsigned kOtherCalls = 64;

std::string text_of(const fs::path& file) {
  const MappedFile mapped(file);
  return {mapped.bytes().begin(), mapped.bytes().end()};
}

std::shared_ptr<grpc::ServerCredentials> credentials(const DaemonConfig& daemon) {
  if (daemon.tls_key.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(daemon.tls_client_ca.empty()
                                                ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_key_cert_pairs.push_back({text_of(daemon.tls_key), text_of(daemon.tls_certificate)});
  if (!daemon.tls_client_ca.empty()) options.pem_root_certs = text_of(daemon.tls_client_ca);
  return grpc::SslServerCredentials(options);
}

/// What gRPC may take while it receives. It checks a message's size when the whole of it is there, hence the quota:
/// where that is used up it ends calls, of those that take memory or not. It must be out of reach for messages that are
/// good.
void limit_memory(grpc::ServerBuilder& builder, const ReceiveMemory& memory, int calls) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(memory.message));
  builder.SetResourceQuota(grpc::ResourceQuota("received").SetMaxThreads(calls).Resize(memory.quota));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, calls);
  // What comes unasked stays in the connection: windows that grow with the link would hold up to 16 MiB of it.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 65'535);
  // A few compressed bytes can become gigabytes.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

/// Files that are made while it lives have these permissions at most.
class Umask {
 public:
  explicit Umask(unsigned mode) : before_(::umask(static_cast<mode_t>(0777 & ~mode))) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

void make_socket_folder(const Endpoint& endpoint) {
  if (endpoint.socket.empty() || !endpoint.socket.has_parent_path()) return;
  std::error_code error;
  fs::create_directories(endpoint.socket.parent_path(), error);
  if (error)
    throw IoError(fmt::format("daemon.listen: {}: cannot make the folder: {}", endpoint.socket.parent_path().string(),
                              error.message()));
}

}  // namespace

struct Server::State {
  State(EngineHost& host, const DaemonConfig& daemon) : calls(host, daemon), service(make_proving_service(calls)) {}

  CallState calls;
  std::unique_ptr<grpc::Service> service;
  std::unique_ptr<grpc::Server> server;
  std::string address;
};

Server::Server(EngineHost& host, const Config& config) : state_(std::make_unique<State>(host, config.daemon)) {
  reload(config);
  const DaemonConfig& daemon = config.daemon;
  Endpoint endpoint = parse_endpoint(daemon.listen, "daemon.listen");
  make_socket_folder(endpoint);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(grpc_address(endpoint), credentials(daemon), &port);
  limit_memory(builder, host.receive_memory(), static_cast<int>(daemon.max_calls + kOtherCalls));
  builder.SetMaxSendMessageSize(static_cast<int>(daemon.max_message_size));
  // Two daemons must not share a port without knowing.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // A client whose machine is gone does not keep its calls for ever.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.RegisterService(state_->service.get());
  {
    const Umask umask(endpoint.socket.empty() ? 0777 & ~0022U : daemon.socket_mode);
    state_->server = builder.BuildAndStart();
  }
  if (state_->server == nullptr || (endpoint.socket.empty() && port == 0)) {
    throw IoError(fmt::format("daemon.listen: {}: cannot listen there; is the address in use, or not this machine's?",
                              daemon.listen));
  }
  if (endpoint.socket.empty()) endpoint.port = static_cast<unsigned>(port);
  state_->address = grpc_address(endpoint);
  state_->server->GetHealthCheckService()->SetServingStatus(kServiceName, true);
}

Server::~Server() {
  stop();
}

const std::string& Server::address() const {
  return state_->address;
}

void Server::reload(const Config& config) {
  state_->calls.tokens.load(config.daemon.token_file);
  state_->calls.limits.set_rate(config.daemon.max_requests_per_second);
  state_->calls.limits.set_jobs(config.daemon.max_jobs_per_client);
  state_->calls.max_queue = config.scheduler.max_queue;
  state_->calls.job_timeout_ms = config.scheduler.job_timeout.count();
}

void Server::begin_drain() {
  state_->calls.draining = true;
  state_->server->GetHealthCheckService()->SetServingStatus(false);
}

void Server::stop() {
  if (state_->server == nullptr) return;
  begin_drain();
  state_->calls.stopping = true;
  // Waiting calls look at `stopping` within a fraction of a second and answer.
  state_->server->Shutdown(std::chrono::system_clock::now() + 3s);
  state_->server.reset();
}

}  // namespace proofline::service
