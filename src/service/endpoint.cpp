#include "service/endpoint.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/un.h>

#include <charconv>

#include "base/error.hpp"

namespace proofline::service {

Endpoint parse_endpoint(std::string_view text, std::string_view what) {
  const auto fail = [&](std::string_view reason) {
    return InputError(fmt::format("{}: \"{}\" {}; expected HOST:PORT or unix:///PATH", what, text, reason));
  };
  Endpoint out;
  if (text.starts_with("unix:")) {
    std::string_view path = text.substr(5);
    if (path.starts_with("//")) path.remove_prefix(2);
    if (path.empty() || path.find('\0') != std::string_view::npos) throw fail("names no socket");
    if (path.size() >= sizeof(sockaddr_un::sun_path))
      throw fail(
          fmt::format("is longer than the {} bytes that a socket's path may have", sizeof(sockaddr_un::sun_path) - 1));
    out.socket = path;
    return out;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) throw fail("has no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size() || out.port > 65535)
    throw fail("has no port from 0 to 65535");
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":/") != std::string_view::npos) {
    throw fail("is no address");
  }
  if (host.empty()) throw fail("has no host (0.0.0.0 for all interfaces)");
  out.host = host;
  return out;
}

std::string grpc_address(const Endpoint& endpoint) {
  if (!endpoint.socket.empty()) return "unix:" + endpoint.socket.string();
  if (endpoint.host.find(':') != std::string::npos) return fmt::format("[{}]:{}", endpoint.host, endpoint.port);
  return fmt::format("{}:{}", endpoint.host, endpoint.port);
}

bool is_local(const Endpoint& endpoint) {
  if (!endpoint.socket.empty() || endpoint.host == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, endpoint.host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, endpoint.host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace proofline::service
