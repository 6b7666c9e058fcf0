#include "service/job_claims.hpp"

namespace proofline::service {

JobClaims::Claim::Claim(JobClaims& claims, std::string id) : claims_(claims), id_(std::move(id)) {
  const std::lock_guard lock(claims_.mutex_);
  ++claims_.counts_[id_];
}

JobClaims::Claim::~Claim() {
  const std::lock_guard lock(claims_.mutex_);
  const auto at = claims_.counts_.find(id_);
  if (--at->second == 0) claims_.counts_.erase(at);
}

bool JobClaims::Claim::abandon(const std::function<bool()>& cancel) {
  const std::lock_guard lock(claims_.mutex_);
  return claims_.counts_.at(id_) == 1 && cancel();
}

}  // namespace proofline::service
