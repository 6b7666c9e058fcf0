#pragma once
/// A small HTTP/1.1 server for short answers: one request a connection, everything bounded.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/endpoint.hpp"

namespace proofline::service {

/// The head of a request. Bodies are not read.
struct HttpRequest {
  std::string method;  ///< "GET"
  std::string path;    ///< as sent, with what follows a question mark cut off
  std::string host;    ///< the Host header, as sent
  std::string authorization;
};

struct HttpResponse {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< beside type, length and connection
};

struct HttpLimits {
  std::size_t head_bytes = 8192;          ///< request line and headers; beyond: status 431
  std::size_t connections = 64;           ///< at a time; further ones are closed at once
  std::chrono::milliseconds time{5'000};  ///< for the head to arrive, and again for the answer to be taken
  unsigned threads = 2;
};

/// Serves from its construction to its destruction.
class HttpListener {
 public:
  /// Answers a request. Called from the listener's threads, several at a time; an exception becomes status 500.
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  /// `endpoint` is host and port. Throws IoError starting with `what` when it cannot be listened on.
  HttpListener(const Endpoint& endpoint, const std::string& what, const HttpLimits& limits, Handler handler);
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;
  /// Closes all connections.
  ~HttpListener();

  /// "127.0.0.1:9821", with the port that the system chose when 0 was asked for.
  const std::string& address() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::service
