#pragma once
/// What the daemon tells over HTTP: /healthz, /readyz, /status, /metrics, and the dashboard at /.
#include <memory>
#include <string>

#include "service/config.hpp"
#include "service/engine_host.hpp"

namespace proofline::service {

/// Serves from its construction on, also before there is an engine. /status and /metrics ask for a token where the
/// configuration has one; the dashboard's files and the two probes tell nothing that needs one.
class HttpServer {
 public:
  /// Throws IoError when daemon.status_listen cannot be listened on, and as Tokens::load.
  explicit HttpServer(const DaemonConfig& daemon);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// While it lives, requests are told of this engine; no request looks at it after that. Must outlive neither.
  class Serving {
   public:
    Serving(HttpServer& server, EngineHost& host) : server_(server) { server_.set_host(&host); }
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;
    ~Serving() { server_.set_host(nullptr); }

   private:
    HttpServer& server_;
  };
  /// /readyz says yes: new jobs are taken.
  void set_ready();
  /// /readyz says no, for good.
  void begin_drain();

  /// Takes over the tokens. Throws as Tokens::load.
  void reload(const DaemonConfig& daemon);
  /// "127.0.0.1:9821", with the port that the system chose when 0 was asked for.
  const std::string& address() const;

 private:
  void set_host(EngineHost* host);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::service
