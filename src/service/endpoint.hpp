#pragma once
/// Addresses that a daemon listens on and a client calls.
#include <filesystem>
#include <string>
#include <string_view>

namespace proofline::service {

/// A Unix socket, or host and port.
struct Endpoint {
  std::filesystem::path socket;  ///< empty: TCP
  std::string host;              ///< IPv6 without brackets
  unsigned port = 0;
};

/// "HOST:PORT", "[IPV6]:PORT", "unix:///PATH" or "unix:PATH". Throws InputError starting with `what`.
Endpoint parse_endpoint(std::string_view text, std::string_view what);

/// As gRPC names it.
std::string grpc_address(const Endpoint& endpoint);

/// Whether only this machine can reach it: a Unix socket, 127.0.0.0/8, ::1 or localhost.
bool is_local(const Endpoint& endpoint);

}  // namespace proofline::service
