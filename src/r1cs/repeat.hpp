#pragma once
/// Circuits that are one part many times.
#include <cstdint>
#include <string_view>

#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// The circuit that runs `part` `count` times over, one after another, in scopes name[0], name[1] and so on: what
/// recording all of it would give, from one recording. Copies share nothing but ONE: copy i has its own inputs and aux
/// variables, behind those of copy i - 1. Templates and coefficients are kept once.
/// Throws InputError when there is no copy or variables would not fit 31 bits.
StructuredR1cs repeat(const StructuredR1cs& part, std::uint32_t count, std::string_view name);

}  // namespace proofline::r1cs
