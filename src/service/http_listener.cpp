#include "service/http_listener.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <thread>

#include "base/error.hpp"

namespace proofline::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using beast::error_code;

std::string text(beast::string_view view) {
  return {view.data(), view.size()};
}

/// What sessions share. Outlives them.
struct Shared {
  HttpLimits limits;
  HttpListener::Handler handler;
  std::atomic<std::size_t> connections = 0;
};

/// One connection. Keeps itself alive from one completion to the next.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Shared& shared, tcp::socket socket)
      : shared_(shared), stream_(std::move(socket)), buffer_(2 * shared.limits.head_bytes) {
    ++shared_.connections;
    parser_.header_limit(static_cast<std::uint32_t>(shared.limits.head_bytes));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { --shared_.connections; }

  void start() {
    stream_.expires_after(shared_.limits.time);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](error_code error, std::size_t) { self->head_read(error); });
  }

 private:
  void head_read(error_code error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return answer({.status = 431, .body = "the request's headers are too large\n"});
    if (error && error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
      return answer({.status = 400, .body = "not an HTTP request: " + error.message() + "\n"});
    if (error) return;
    const auto& head = parser_.get();
    HttpRequest request{.method = text(head.method_string()),
                        .path = text(head.target()),
                        .host = text(head[http::field::host]),
                        .authorization = text(head[http::field::authorization])};
    request.path.resize(std::min(request.path.find('?'), request.path.size()));
    without_body_ = request.method == "HEAD";
    HttpResponse response;
    try {
      response = shared_.handler(request);
    } catch (const std::exception&) {
      // What went wrong may name what is not for clients.
      response = {.status = 500, .body = "an internal error\n"};
    }
    answer(std::move(response));
  }

  void answer(HttpResponse response) {
    response_.version(11);
    response_.result(response.status);
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    response_.set(http::field::content_type, response.type);
    response_.keep_alive(false);
    response_.content_length(response.body.size());
    if (!without_body_) response_.body() = std::move(response.body);
    stream_.expires_after(shared_.limits.time);
    serializer_.emplace(response_);
    http::async_write(stream_, *serializer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->buffer_.clear();
      self->stream_.expires_after(std::min(self->shared_.limits.time, std::chrono::milliseconds(1000)));
      self->discard();
    });
  }

  /// Closing a socket with bytes unread would reset the connection, and the client might lose the answer.
  void discard() {
    if (discarded_ > kMostDiscarded) return;
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](error_code error, std::size_t bytes) {
      if (error) return;
      self->discarded_ += bytes;
      self->discard();
    });
  }

  static constexpr std::size_t kMostDiscarded = std::size_t{1} << 18;

  Shared& shared_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  bool without_body_ = false;
  std::size_t discarded_ = 0;
};

}  // namespace

struct HttpListener::State {
  State(const HttpLimits& limits, Handler handler) : shared{limits, std::move(handler)} {}

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        // For example no file descriptor is left: that does not change at once.
        pause.expires_after(std::chrono::milliseconds(100));
        return pause.async_wait([this](error_code aborted) {
          if (!aborted) accept();
        });
      }
      if (shared.connections < shared.limits.connections) std::make_shared<Session>(shared, std::move(socket))->start();
      accept();
    });
  }

  Shared shared;
  asio::io_context context;
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::string address;
  std::vector<std::jthread> threads;
};

HttpListener::HttpListener(const Endpoint& endpoint, const std::string& what, const HttpLimits& limits, Handler handler)
    : state_(std::make_unique<State>(limits, std::move(handler))) {
  State& state = *state_;
  try {
    tcp::resolver resolver(state.context);
    const tcp::endpoint local =
        resolver.resolve(endpoint.host, std::to_string(endpoint.port), tcp::resolver::numeric_service)
            .begin()
            ->endpoint();
    state.acceptor.open(local.protocol());
    state.acceptor.set_option(tcp::acceptor::reuse_address(true));
    state.acceptor.bind(local);
    state.acceptor.listen();
    Endpoint bound = endpoint;
    bound.port = state.acceptor.local_endpoint().port();
    state.address = grpc_address(bound);
  } catch (const boost::system::system_error& error) {
    throw IoError(fmt::format("{}: {}: cannot listen there: {}", what, grpc_address(endpoint), error.code().message()));
  }
  state.accept();
  for (unsigned i = 0; i < limits.threads; ++i) state.threads.emplace_back([&state] { state.context.run(); });
}

HttpListener::~HttpListener() {
  state_->context.stop();
  state_->threads.clear();
}

const std::string& HttpListener::address() const {
  return state_->address;
}

}  // namespace proofline::service
