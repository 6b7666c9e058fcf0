#pragma once
/// The gRPC server: cuzk.v1.ProvingEngine (proto/cuzk.proto), and the standard health and reflection services.
#include <memory>
#include <string>

#include "service/config.hpp"
#include "service/engine_host.hpp"

namespace proofline::service {

/// Serves from its construction on. Health and reflection ask for no token: they tell whether the daemon serves, and
/// what proto/cuzk.proto says.
class Server {
 public:
  /// Throws InputError for a configuration that cannot be (files of TLS or tokens), IoError when the address cannot be
  /// listened on. `host` must outlive it.
  Server(EngineHost& host, const Config& config);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// stop(), if that has not been called.
  ~Server();

  /// Where it listens; with the port that the system chose when 0 was asked for.
  const std::string& address() const;
  /// Takes over tokens and limits. Throws as Tokens::load.
  void reload(const Config& config);
  /// Refuses new jobs from now on, and tells so by its health. Repeated requests still join their jobs.
  void begin_drain();
  /// Ends calls that wait for jobs, whose clients are told to repeat them, and returns when no call is left.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proofline::service
