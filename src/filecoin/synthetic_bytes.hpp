#pragma once
/// Everything in a synthetic sector derives from a number, by SHA-256.
#include <cstdint>
#include <string_view>

#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// 32 bytes for one purpose: SHA-256("Proofline synthetic sector: " || what || 0 || le64(seed) || le64(a) || le64(b)).
Bytes32 synthetic_bytes(std::uint64_t seed, std::string_view what, std::uint64_t a = 0, std::uint64_t b = 0);
/// The same as a field element.
Node synthetic_node(std::uint64_t seed, std::string_view what, std::uint64_t a = 0, std::uint64_t b = 0);
/// A number of 32 bits.
std::uint64_t synthetic_number(std::uint64_t seed, std::string_view what);

}  // namespace proofline::filecoin
