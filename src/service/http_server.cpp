#include "service/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <shared_mutex>

#include "service/http_listener.hpp"
#include "service/metrics.hpp"
#include "service/status_json.hpp"
#include "service/tokens.hpp"
#include "service/web_files.hpp"

namespace proofline::service {
namespace {

constexpr const char* kJson = "application/json";
constexpr const char* kMetrics = "text/plain; version=0.0.4; charset=utf-8";

/// The dashboard's own files and nothing else; in no other page's frame.
constexpr const char* kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

HttpResponse plain(unsigned status, std::string body) {
  return {.status = status, .body = std::move(body)};
}

void add_common_headers(HttpResponse& response) {
  for (const auto& header :
       std::initializer_list<std::pair<const char*, const char*>>{{"Content-Security-Policy", kContentSecurityPolicy},
                                                                  {"X-Content-Type-Options", "nosniff"},
                                                                  {"Referrer-Policy", "no-referrer"},
                                                                  {"Cross-Origin-Resource-Policy", "same-origin"},
                                                                  {"Cache-Control", "no-store"}})
    response.headers.emplace_back(header);
}

const WebFile* web_file(std::string_view path) {
  const std::span<const WebFile> files = web_files();
  const auto found = std::ranges::find(files, path == "/" ? "/index.html" : path, &WebFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

struct HttpServer::State {
  mutable std::shared_mutex mutex;  ///< guards `host`: shared while a request looks at it
  EngineHost* host = nullptr;
  std::atomic<DaemonPhase> phase = DaemonPhase::kStarting;
  Tokens tokens;
  bool only_local_names = false;
  std::unique_ptr<HttpListener> listener;  // last: its threads use the others

  /// A page of another site whose name was made to point here (DNS rebinding) shows by the name that it asks for.
  bool is_host_good(const std::string& name) const {
    if (!only_local_names || name.empty()) return true;
    const bool has_port = name.find(':') != std::string::npos && !name.ends_with(']');
    try {
      return is_local(parse_endpoint(has_port ? name : name + ":80", "Host"));
    } catch (const InputError&) {
      return false;
    }
  }

  HttpResponse ready() const {
    switch (phase.load()) {
      case DaemonPhase::kStarting:
        return plain(503, "starting\n");
      case DaemonPhase::kServing:
        return plain(200, "ready\n");
      case DaemonPhase::kDraining:
        break;
    }
    return plain(503, "draining\n");
  }

  HttpResponse told(const HttpRequest& request) const {
    if (!tokens.accept(request.authorization)) {
      HttpResponse refused = plain(401, "a token is needed: Authorization: Bearer TOKEN (daemon.token_file)\n");
      refused.headers.emplace_back("WWW-Authenticate", "Bearer");
      return refused;
    }
    const std::shared_lock lock(mutex);
    if (host == nullptr) return plain(503, "the engine has not started\n");
    if (request.path == "/metrics") return {.type = kMetrics, .body = metrics_text(*host)};
    return {.type = kJson, .body = status_json(*host, phase)};
  }

  HttpResponse answer(const HttpRequest& request) const {
    if (!is_host_good(request.host)) return plain(421, "this is not the Host that is served here\n");
    const WebFile* const file = web_file(request.path);
    const bool is_told = request.path == "/status" || request.path == "/metrics";
    const bool is_probe = request.path == "/healthz" || request.path == "/readyz";
    if (file == nullptr && !is_told && !is_probe)
      return plain(404, "not found; there are /, /status, /metrics, /healthz and /readyz\n");
    if (request.method != "GET" && request.method != "HEAD") {
      HttpResponse refused = plain(405, "only GET and HEAD\n");
      refused.headers.emplace_back("Allow", "GET, HEAD");
      return refused;
    }
    if (file != nullptr) return {.type = std::string(file->type), .body = std::string(file->content)};
    if (is_told) return told(request);
    return request.path == "/healthz" ? plain(200, "alive\n") : ready();
  }
};

HttpServer::HttpServer(const DaemonConfig& daemon) : state_(std::make_unique<State>()) {
  reload(daemon);
  const Endpoint endpoint = parse_endpoint(daemon.status_listen, "daemon.status_listen");
  state_->only_local_names = is_local(endpoint);
  state_->listener = std::make_unique<HttpListener>(endpoint, "daemon.status_listen", HttpLimits{},
                                                    [&state = *state_](const HttpRequest& request) {
                                                      HttpResponse response = state.answer(request);
                                                      add_common_headers(response);
                                                      return response;
                                                    });
}

HttpServer::~HttpServer() = default;

void HttpServer::set_host(EngineHost* host) {
  const std::unique_lock lock(state_->mutex);
  state_->host = host;
}

void HttpServer::set_ready() {
  DaemonPhase starting = DaemonPhase::kStarting;
  state_->phase.compare_exchange_strong(starting, DaemonPhase::kServing);
}

void HttpServer::begin_drain() {
  state_->phase = DaemonPhase::kDraining;
}

void HttpServer::reload(const DaemonConfig& daemon) {
  state_->tokens.load(daemon.token_file);
}

const std::string& HttpServer::address() const {
  return state_->listener->address();
}

}  // namespace proofline::service
