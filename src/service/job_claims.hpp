#pragma once
/// Who wants a job, by its request_id: so that a job that only its caller wanted can be cancelled when that goes away.
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace proofline::service {

/// May be used from several threads. Must outlive its claims.
class JobClaims {
 public:
  /// Made before the job is submitted or waited for; ends with the call.
  class Claim {
   public:
    Claim(JobClaims& claims, std::string id);
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();
    /// The caller has gone away. If nobody else claims the job, `cancel` is called, before anybody can claim it again,
    /// and decides. Whether the job was cancelled.
    bool abandon(const std::function<bool()>& cancel);

   private:
    JobClaims& claims_;
    std::string id_;
  };

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace proofline::service
