#pragma once
/// Idempotency keys for requests that come without one.
#include <string>

namespace proofline::engine {

/// "proofline-" and 128 random bits in hex.
std::string random_request_id();

}  // namespace proofline::engine
