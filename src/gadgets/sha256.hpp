#pragma once
/// SHA-256 (FIPS 180-4) in a circuit, with the variables and rows of bellperson's gadget.
#include <span>
#include <vector>

#include "gadgets/boolean.hpp"

namespace proofline::gadgets {

/// The digest's 256 bits, most significant first in each byte. `message` is whole bytes, most
/// significant bit first; padding is added as constants. Where no rows are wanted, values are made a word at a time.
std::vector<Boolean> sha256(Builder& cs, std::span<const Boolean> message);

}  // namespace proofline::gadgets
