#pragma once
/// A client that sends what it is told, byte by byte, so that it can be wrong, too.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace proofline::test {

struct RawAnswer {
  int status = 0;                              ///< 0: the connection was closed without an answer
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

/// A connection to 127.0.0.1.
class RawConnection {
 public:
  explicit RawConnection(unsigned port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
      throw IoError("cannot connect");
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection() { ::close(socket_); }

  /// False when the other side takes no more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  /// All until the other side closes.
  RawAnswer receive() {
    std::string all;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(socket_, part, sizeof(part), 0)) > 0;)
      all.append(part, static_cast<std::size_t>(got));
    RawAnswer out;
    const std::size_t head_end = all.find("\r\n\r\n");
    if (head_end == std::string::npos || !all.starts_with("HTTP/1.1 ")) return out;
    std::from_chars(all.data() + 9, all.data() + 12, out.status);
    out.body = all.substr(head_end + 4);
    for (std::size_t at = all.find("\r\n") + 2; at < head_end + 2;) {
      const std::size_t end = all.find("\r\n", at), colon = all.find(": ", at);
      std::string name = all.substr(at, colon - at);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      out.headers[name] = all.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    return out;
  }

 private:
  int socket_;
};

}  // namespace proofline::test
