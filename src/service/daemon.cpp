#include "service/daemon.hpp"

#include <google/protobuf/stubs/common.h>
#include <signal.h>
#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/progress.hpp"
#include "engine/parameter_files.hpp"
#include "service/http_server.hpp"
#include "service/last_resort.hpp"
#include "service/notify.hpp"
#include "service/server.hpp"

namespace proofline::service {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// SIGTERM, SIGINT and SIGHUP, taken one after another instead of interrupting.
class Signals {
 public:
  Signals() {
    ::sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set_, signal);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
  }
  /// The next signal; 0 when none came in that time.
  int wait(milliseconds time) const {
    const timespec timeout{.tv_sec = time.count() / 1000, .tv_nsec = time.count() % 1000 * 1'000'000};
    return std::max(0, ::sigtimedwait(&set_, nullptr, &timeout));
  }

 private:
  sigset_t set_{};
};

/// Their lines have no place in this log; what clients do wrong, they are told.
void silence_libraries() {
  ::setenv("GRPC_VERBOSITY", "NONE", 0);
#if GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::SetLogHandler(nullptr);
#endif
}

class Stopped {};

class StopProgress : public Progress {
 public:
  explicit StopProgress(std::stop_token stop) : stop_(std::move(stop)) {}
  void report(std::string_view, std::uint64_t, std::uint64_t) override {
    if (stop_.stop_requested()) throw Stopped{};
  }

 private:
  std::stop_token stop_;
};

/// What takes long at the start and need not be waited for.
void prepare(const Config& config, EngineHost& host, const std::stop_token& stop) {
  const Log& log = host.log();
  for (const std::string& circuit : config.srs.preload) {
    if (stop.stop_requested()) return;
    try {
      if (host.store().preload(circuit, stop)) log.info("circuit loaded", {{"circuit", circuit}});
    } catch (const std::exception& error) {
      log.error("circuit cannot be loaded", {{"circuit", circuit}, {"what", error.what()}});
    }
  }
  if (config.srs.published.empty()) return;
  for (const engine::KitInfo& kit : host.store().list()) {
    if (kit.state == engine::KitState::kMissing) continue;
    StopProgress progress(stop);
    try {
      engine::require_published(kit.parameter_file, config.srs.published, config.daemon.state_dir / "checked",
                                progress);
      log.info("parameters are the published ones", {{"circuit", kit.circuit_id}});
    } catch (const Stopped&) {
      return;
    } catch (const std::exception& error) {
      log.error("parameters are not the published ones", {{"circuit", kit.circuit_id}, {"what", error.what()}});
    }
  }
}

void reload(const std::function<LoadedConfig()>& load, Config& config, Log& log, Server& server,
            std::optional<HttpServer>& http) {
  notify_reloading();
  try {
    LoadedConfig loaded = load();
    for (const std::string& warning : loaded.warnings) log.warn(warning);
    server.reload(loaded.config);
    if (http) http->reload(loaded.config.daemon);
    log.set_level(loaded.config.logging.level);
    for (const std::string& key : keys_that_need_a_restart(config, loaded.config))
      log.warn("change takes effect at the next start", {{"key", key}});
    config.daemon.drain_timeout = loaded.config.daemon.drain_timeout;
    config.daemon.keep_results = loaded.config.daemon.keep_results;
    log.info("configuration reloaded");
  } catch (const std::exception& error) {
    log.error("configuration not reloaded: everything stays as it was", {{"what", error.what()}});
  }
  notify_systemd("READY=1");
}

void drain(const Config& config, const Signals& signals, EngineHost& host) {
  const Clock::time_point give_up = Clock::now() + config.daemon.drain_timeout;
  bool ended = false;
  do {
    ended = host.engine().drain(100ms);
    const int signal = signals.wait(0ms);
    if (signal == SIGTERM || signal == SIGINT) break;
  } while (!ended && Clock::now() < give_up);
  host.log().info(ended ? "jobs in progress have ended" : "jobs in progress stay in the journal",
                  {{"unfinished", std::to_string(host.engine().jobs().size())}});
}

/// From start to drain. `last_resort` is set when the end begins.
void serve(Config& config, const std::function<LoadedConfig()>& load, const Signals& signals, Log& log,
           std::optional<LastResort>& last_resort) {
  std::optional<HttpServer> http;
  if (!config.daemon.status_listen.empty()) {
    http.emplace(config.daemon);
    log.info("telling status, metrics and the dashboard", {{"address", "http://" + http->address() + "/"}});
  }
  EngineHost host(config, log);
  // Declared after the host, so that it ends before it.
  std::optional<HttpServer::Serving> shown;
  if (http) shown.emplace(*http, host);
  report_parameters(config, host);
  Server server(host, config);
  std::jthread preparing([&](std::stop_token stop) { prepare(config, host, stop); });
  if (http) http->set_ready();
  log.info("serving", {{"address", server.address()}});
  notify_systemd("READY=1\nSTATUS=Serving " + server.address());

  int signal = 0;
  Clock::time_point forget_next = Clock::now();
  while (signal != SIGTERM && signal != SIGINT) {
    if (signal == SIGHUP) reload(load, config, log, server, http);
    if (Clock::now() >= forget_next) {
      try {
        host.journal().forget_older(engine::WallClock::now() - config.daemon.keep_results);
      } catch (const Error& error) {
        log.error("old results cannot be forgotten", {{"what", error.what()}});
      }
      forget_next = Clock::now() + 1min;
    }
    signal = signals.wait(1s);
  }
  log.info("stopping: no new jobs are taken", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  notify_systemd("STOPPING=1");
  last_resort.emplace(config.daemon.drain_timeout + 10s, log);
  server.begin_drain();
  if (http) http->begin_drain();
  preparing.request_stop();
  drain(config, signals, host);
  server.stop();
}

}  // namespace

void run_daemon(const std::function<LoadedConfig()>& load) {
  const Signals signals;
  silence_libraries();
  LoadedConfig loaded = load();
  Config& config = loaded.config;
  Log log(config.logging);
  for (const std::string& warning : loaded.warnings) log.warn(warning);
  std::optional<LastResort> last_resort;  // outlives the engine, whose end may hang
  serve(config, load, signals, log, last_resort);
  log.info("stopped");
}

}  // namespace proofline::service
