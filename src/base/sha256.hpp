#pragma once
/// SHA-256 (FIPS 180-4).
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace proofline {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// Incremental hashing without allocation; copying a state after a common prefix is cheap.
class Sha256 {
 public:
  Sha256();
  Sha256& update(std::span<const std::uint8_t> bytes);
  /// The digest of everything so far. The object must not be used afterwards, except by assignment.
  Sha256Digest finish();

 private:
  /// The library's context: 8 words of state, 64-bit length, one block, two counters.
  alignas(8) std::array<std::byte, 112> context_;
};

Sha256Digest sha256(std::span<const std::uint8_t> bytes);

}  // namespace proofline
