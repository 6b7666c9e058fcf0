#pragma once
/// Trusted setup: parameters for a circuit from random toxic waste. Whoever knows the waste can forge
/// proofs; it is wiped, but parameters made on one machine are for tests and development: production
/// uses the published ones of the multi-party ceremony.
#include <cstdint>
#include <filesystem>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "groth16/verifying_key.hpp"
#include "r1cs/structured.hpp"

namespace proofline::groth16 {

/// The secret scalars. Wiped on destruction.
struct ToxicWaste {
  math::Fr tau, alpha, beta, gamma, delta;

  /// From the operating system's generator.
  static ToxicWaste random();
  /// Known to everybody who knows the seed: for reproducible tests only, the proofs are worth nothing.
  static ToxicWaste insecure_from_seed(std::uint64_t seed);
  ~ToxicWaste();
};

/// Writes bellperson's Parameters to `path` (replaced only when complete). Memory: a field element for each element of
/// the evaluation domain, and three a variable for at most 2^22 variables at a time. Throws InputError when a variable
/// occurs in no row, IoError when the file cannot be written.
VerifyingKey generate_parameters(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste,
                                 const std::filesystem::path& path, const Executor& exec, Progress& progress);

}  // namespace proofline::groth16
