#pragma once
/// How much one client may ask for.
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/journal.hpp"

namespace proofline::service {

/// gRPC's name of a peer without its port: "ipv4:10.0.0.7", "ipv6:[fd00::1]", "unix:".
std::string client_of_peer(const std::string& peer);

/// May be used from several threads.
class ClientLimits {
 public:
  using Clock = std::chrono::steady_clock;

  /// Requests that a client may make within a second, up to twice as many at once; 0: any number.
  void set_rate(unsigned requests_per_second);
  /// Jobs of a client that have not ended; 0: any number.
  void set_jobs(unsigned jobs);

  /// Whether the client may make a request now.
  bool take_request(const std::string& client, Clock::time_point now = Clock::now());

  /// A place for a job that is being submitted. Destroyed without became(), it is free again.
  class Place {
   public:
    Place(Place&& other) noexcept : limits_(std::exchange(other.limits_, nullptr)), client_(std::move(other.client_)) {}
    Place& operator=(Place&&) = delete;
    ~Place();
    /// It holds this job until that has ended.
    void became(engine::JobId job);

   private:
    friend class ClientLimits;
    Place(ClientLimits* limits, std::string client) : limits_(limits), client_(std::move(client)) {}
    ClientLimits* limits_;
    std::string client_;
  };
  /// Nothing when the client has as many jobs as it may. `live` tells which jobs have not ended.
  std::optional<Place> take_place(const std::string& client, const std::function<std::set<engine::JobId>()>& live);

 private:
  struct Client {
    double tokens = 0;
    Clock::time_point filled{};
    std::set<engine::JobId> jobs;
    unsigned being_submitted = 0;
  };
  void forget_idle(Clock::time_point now);

  std::mutex mutex_;
  unsigned rate_ = 0, jobs_ = 0;
  std::map<std::string, Client> clients_;
};

}  // namespace proofline::service
