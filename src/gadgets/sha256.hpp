#pragma once
/// SHA-256 (FIPS 180-4) in a circuit, with the variables and rows of bellperson's gadget.
#include <array>
#include <span>
#include <vector>

#include "gadgets/word32.hpp"

namespace proofline::gadgets {

/// One compression: `block` is 512 bits, most significant first in each word.
std::array<Word32, 8> sha256_compress(Builder& cs, std::span<const Boolean, 512> block,
                                      const std::array<Word32, 8>& state);

/// The digest's 256 bits, most significant first in each byte. `message` is whole bytes, most
/// significant bit first; padding is added as constants.
std::vector<Boolean> sha256(Builder& cs, std::span<const Boolean> message);

}  // namespace proofline::gadgets
