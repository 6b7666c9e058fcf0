#pragma once
/// BLAKE2b-512 (RFC 7693), unkeyed.
#include <array>
#include <cstdint>
#include <span>

namespace proofline {

using Blake2b512Digest = std::array<std::uint8_t, 64>;

/// The digest of `bytes`. Throws Error when the crypto library refuses.
Blake2b512Digest blake2b512(std::span<const std::uint8_t> bytes);

}  // namespace proofline
