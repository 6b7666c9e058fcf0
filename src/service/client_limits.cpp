#include "service/client_limits.hpp"

#include <algorithm>

namespace proofline::service {

std::string client_of_peer(const std::string& peer) {
  if (!peer.starts_with("ipv4:") && !peer.starts_with("ipv6:")) return peer.substr(0, peer.find(':') + 1);
  return peer.substr(0, peer.rfind(':'));
}

void ClientLimits::set_rate(unsigned requests_per_second) {
  const std::lock_guard lock(mutex_);
  rate_ = requests_per_second;
}

void ClientLimits::set_jobs(unsigned jobs) {
  const std::lock_guard lock(mutex_);
  jobs_ = jobs;
}

void ClientLimits::forget_idle(Clock::time_point now) {
  constexpr std::size_t kMany = 1024;
  if (clients_.size() < kMany) return;
  std::erase_if(clients_, [&](const auto& entry) {
    const Client& client = entry.second;
    return client.jobs.empty() && client.being_submitted == 0 && now - client.filled > std::chrono::seconds(2);
  });
}

bool ClientLimits::take_request(const std::string& client, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (rate_ == 0) return true;
  forget_idle(now);
  Client& known = clients_[client];
  const double most = 2.0 * rate_;
  const double seconds = std::chrono::duration<double>(now - known.filled).count();
  known.tokens = known.filled == Clock::time_point{} ? most : std::min(most, known.tokens + seconds * rate_);
  known.filled = now;
  if (known.tokens < 1) return false;
  known.tokens -= 1;
  return true;
}

std::optional<ClientLimits::Place> ClientLimits::take_place(const std::string& client,
                                                            const std::function<std::set<engine::JobId>()>& live) {
  const std::lock_guard lock(mutex_);
  Client& known = clients_[client];
  const auto is_full = [&] { return jobs_ != 0 && known.jobs.size() + known.being_submitted >= jobs_; };
  if (is_full() || known.jobs.size() > 2 * jobs_) {
    const std::set<engine::JobId> still = live();
    std::erase_if(known.jobs, [&](engine::JobId job) { return !still.contains(job); });
  }
  if (is_full()) return std::nullopt;
  ++known.being_submitted;
  return Place(this, client);
}

ClientLimits::Place::~Place() {
  if (limits_ == nullptr) return;
  const std::lock_guard lock(limits_->mutex_);
  --limits_->clients_[client_].being_submitted;
}

void ClientLimits::Place::became(engine::JobId job) {
  const std::lock_guard lock(limits_->mutex_);
  Client& client = limits_->clients_[client_];
  --client.being_submitted;
  if (limits_->jobs_ != 0) client.jobs.insert(job);
  limits_ = nullptr;
}

}  // namespace proofline::service
