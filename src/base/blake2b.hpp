#pragma once
/// BLAKE2b (RFC 7693).
#include <array>
#include <cstdint>
#include <span>

namespace proofline {

using Blake2b512Digest = std::array<std::uint8_t, 64>;

/// The unkeyed digest of `bytes`. Throws Error when the crypto library refuses.
Blake2b512Digest blake2b512(std::span<const std::uint8_t> bytes);

/// The keyed digest of 32 bytes; the key has 1 to 64. Throws Error when the crypto library refuses.
std::array<std::uint8_t, 32> blake2b256_keyed(std::span<const std::uint8_t> key, std::span<const std::uint8_t> bytes);

}  // namespace proofline
