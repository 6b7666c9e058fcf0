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
  /// `is_live`: whether a job of that id waits or runs. One that nobody here has started is nobody's to cancel. Called
  /// under the lock.
  explicit JobClaims(std::function<bool(const std::string& id)> is_live) : is_live_(std::move(is_live)) {}

  /// Made before the job is submitted or waited for; ends with the call.
  class Claim {
   public:
    Claim(JobClaims& claims, std::string id);
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();
    /// The job goes on even if all leave: its submission is acknowledged.
    void keep();
    /// The caller has gone away. If nobody else claims the job and it is not kept, `cancel` is called, before anybody
    /// can claim it again. Whether it was.
    bool abandon(const std::function<void()>& cancel);

   private:
    JobClaims& claims_;
    std::string id_;
  };

 private:
  struct Entry {
    std::size_t claims = 0;
    bool is_kept = false;
  };

  std::function<bool(const std::string&)> is_live_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace proofline::service
