#pragma once
/// Bearer tokens. Only their hashes stay in memory.
#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"

namespace proofline::service {

/// May be used from several threads.
class Tokens {
 public:
  /// One token a line of at least 16 characters without spaces; empty lines and those that begin with # do not count.
  /// An empty path: no token is asked for. Throws IoError when the file cannot be read, InputError when others than its
  /// owner may read it, or a line is no token, or there is none; what was known before stays. Messages have no token.
  void load(const std::filesystem::path& file);
  /// Whether the value of a request's `authorization` ("Bearer TOKEN") is good. Takes as long for any wrong token.
  bool accept(std::string_view authorization) const;

 private:
  mutable std::mutex mutex_;
  bool asked_ = false;
  std::vector<Sha256Digest> digests_;
};

}  // namespace proofline::service
