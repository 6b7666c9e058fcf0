#pragma once
/// Structured circuits in files. Little-endian:
///   "PLR1CS" and a u16 version (2)
///   u32 inputs, u64 constraints, u32 aux variables
///   list of coefficients (32 canonical bytes each; the first 16 are 1, -1, 2, -2, ... 8, -8)
///   list of paths (each a list of bytes)
///   list of templates: u32 aux variables, u32 outer bits, u32 outer field elements, lists of u32 local field
///     elements, of u32 places among these of the derived ones, and of u32 part ends, list of operations (u32 operand,
///     u32 coefficient), list of path changes (u32 row, u32 path)
///   list of placements: u32 template, u32 path, then two lists of runs (u32 first variable, u32 count), of its outer
///     bits and field elements; a variable is its index, with the top bit set for aux
///   SHA-256 of all before
/// A list is a u32 count and its elements.
#include <filesystem>

#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Replaces the file when all is written. Throws IoError.
void save_circuit(const StructuredR1cs& r1cs, const std::filesystem::path& path);

/// Throws IoError when the file cannot be read, InputError naming it when it is of another version, damaged, or not a
/// circuit: every index and order is checked.
StructuredR1cs load_circuit(const std::filesystem::path& path);

}  // namespace proofline::r1cs
