#pragma once
/// A StructuredR1cs back to the rows that it was recorded from.
#include <array>
#include <functional>

#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Calls use(row) for rows [begin, end) in order; each as its sink saw it when it was recorded.
void for_each_row(const StructuredR1cs& r1cs, std::uint64_t begin, std::uint64_t end,
                  const std::function<void(const Row&)>& use);

/// SHA-256 over all rows, as RowDigest gives it for the flat circuit.
std::array<std::uint8_t, 32> digest(const StructuredR1cs& r1cs);

}  // namespace proofline::r1cs
