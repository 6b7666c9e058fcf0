#pragma once
/// Kinds of proofs as cuzk's users know them.
#include <string_view>

#include "filecoin/circuit_kind.hpp"

namespace proofline::service {

/// "porep-c2", "winning-post", "window-post", "snap-update"
constexpr std::string_view kind_name(filecoin::CircuitKind kind) {
  switch (kind) {
    case filecoin::CircuitKind::kPorep:
      return "porep-c2";
    case filecoin::CircuitKind::kWinningPost:
      return "winning-post";
    case filecoin::CircuitKind::kWindowPost:
      return "window-post";
    case filecoin::CircuitKind::kUpdate:
      return "snap-update";
  }
  return "unknown";
}

inline constexpr filecoin::CircuitKind kKinds[] = {filecoin::CircuitKind::kPorep, filecoin::CircuitKind::kUpdate,
                                                   filecoin::CircuitKind::kWindowPost,
                                                   filecoin::CircuitKind::kWinningPost};

}  // namespace proofline::service
