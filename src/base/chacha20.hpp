#pragma once
/// The key stream of ChaCha20 (RFC 8439: 96-bit nonce, 32-bit block counter from 0).
#include <array>
#include <cstdint>
#include <span>

namespace proofline {

/// Fills `out` with the key stream from byte `offset` on; it ends below 2^38. Throws Error when the crypto library
/// refuses.
void chacha20_key_stream(const std::array<std::uint8_t, 32>& key, const std::array<std::uint8_t, 12>& nonce,
                         std::uint64_t offset, std::span<std::uint8_t> out);

}  // namespace proofline
