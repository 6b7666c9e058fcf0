#pragma once
/// The secret scalars of a trusted setup. Whoever knows them can forge proofs.
#include <cstdint>

#include "math/fr.hpp"

namespace proofline::groth16 {

/// Wiped on destruction.
struct ToxicWaste {
  math::Fr tau, alpha, beta, gamma, delta;

  /// From the operating system's generator.
  static ToxicWaste random();
  /// Known to everybody who knows the seed: for reproducible tests only, the proofs are worth nothing.
  static ToxicWaste insecure_from_seed(std::uint64_t seed);
  ~ToxicWaste();
};

}  // namespace proofline::groth16
