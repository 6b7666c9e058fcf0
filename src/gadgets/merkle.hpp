#pragma once
/// Merkle inclusion in a circuit, for the binary SHA-256 tree and the Poseidon trees with base, sub
/// and top levels. Source: rust-fil-proofs' PoR circuit and hashers.
#include <span>

#include "gadgets/number.hpp"

namespace proofline::gadgets {

enum class TreeHash { kSha256, kPoseidon };

/// One level: the arity - 1 siblings and the position of the running node among them.
struct PathLevel {
  std::span<const Fr> siblings;
  unsigned index = 0;
};

/// SHA-256 of two field elements, 255 bits padded to 256 each, with the digest's last two bits dropped.
Number sha256_of_two(Builder& cs, const Number& left, const Number& right);

/// Enforces that `leaf` lies under `root` along `path` (leaf level first). The index bits of all levels
/// become one public input.
void enforce_inclusion(Builder& cs, TreeHash hash, std::span<const PathLevel> path, const Number& root,
                       const Number& leaf);

}  // namespace proofline::gadgets
