#pragma once
/// systemd's readiness protocol (sd_notify(3)), written straight to its socket.
#include <string_view>

namespace proofline::service {

/// Sends for example "READY=1" to the socket that NOTIFY_SOCKET names. Nothing happens without it; false when it is set
/// and the message could not be sent.
bool notify_systemd(std::string_view state);

/// "RELOADING=1" with the time that systemd asks for.
bool notify_reloading();

}  // namespace proofline::service
