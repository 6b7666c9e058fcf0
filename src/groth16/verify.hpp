#pragma once
/// Groth16 verification (Groth 2016, section 3.2).
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "groth16/proof.hpp"
#include "groth16/verifying_key.hpp"
#include "math/pairing.hpp"

namespace proofline::groth16 {

/// A verifying key with what does not depend on the proof computed once.
struct PreparedVerifyingKey {
  explicit PreparedVerifyingKey(VerifyingKey verifying_key);
  VerifyingKey key;
  math::Gt alpha_beta;  ///< e(alpha, beta)
};

/// Whether the proof holds for the public inputs (without ONE). Throws InputError when the key takes
/// another number of inputs.
bool verify(const PreparedVerifyingKey& key, std::span<const math::Fr> inputs, const Proof& proof);

/// One proof of a batch.
struct Claim {
  std::vector<math::Fr> inputs;  ///< without ONE
  Proof proof;
};

/// Whether all claims hold, by one pairing product of the proofs weighted with random 128-bit numbers:
/// a false claim passes with probability 2^-128. True for an empty batch; a batch of one is as verify().
bool verify_batch(const PreparedVerifyingKey& key, std::span<const Claim> claims, const Executor& exec);

}  // namespace proofline::groth16
