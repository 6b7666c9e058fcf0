#include "service/job_claims.hpp"

namespace proofline::service {

JobClaims::Claim::Claim(JobClaims& claims, std::string id) : claims_(claims), id_(std::move(id)) {
  const std::lock_guard lock(claims_.mutex_);
  const auto [at, is_new] = claims_.entries_.try_emplace(id_);
  if (is_new) at->second.is_kept = claims_.is_live_(id_);
  ++at->second.claims;
}

JobClaims::Claim::~Claim() {
  const std::lock_guard lock(claims_.mutex_);
  const auto at = claims_.entries_.find(id_);
  if (--at->second.claims == 0) claims_.entries_.erase(at);
}

void JobClaims::Claim::keep() {
  const std::lock_guard lock(claims_.mutex_);
  claims_.entries_.at(id_).is_kept = true;
}

bool JobClaims::Claim::abandon(const std::function<void()>& cancel) {
  const std::lock_guard lock(claims_.mutex_);
  const Entry& entry = claims_.entries_.at(id_);
  if (entry.claims != 1 || entry.is_kept) return false;
  cancel();
  return true;
}

}  // namespace proofline::service
