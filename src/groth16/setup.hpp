#pragma once
/// Trusted setup: parameters for a circuit from random toxic waste. Whoever knows the waste can forge
/// proofs; it is wiped, but parameters made on one machine are for tests and development: production
/// uses the published ones of the multi-party ceremony.
#include <filesystem>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "groth16/toxic_waste.hpp"
#include "groth16/verifying_key.hpp"
#include "math/fixed_base.hpp"
#include "r1cs/structured.hpp"

namespace proofline::groth16 {

/// Writes bellperson's Parameters to `path` (replaced only when complete). Memory: a field element for each element of
/// the evaluation domain, and three a variable for at most 2^22 variables at a time. Throws InputError when a variable
/// occurs in no row, IoError when the file cannot be written.
VerifyingKey generate_parameters(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste,
                                 const std::filesystem::path& path, const Executor& exec, Progress& progress);

/// The key of parameters whose ic are these multiples of G1's generator. `generator` is its table.
VerifyingKey make_verifying_key(const ToxicWaste& waste, std::span<const math::Fr> ic,
                                const math::FixedBaseG1& generator, const Executor& exec);

}  // namespace proofline::groth16
