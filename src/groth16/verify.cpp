#include "groth16/verify.hpp"

#include <string>

#include "base/error.hpp"
#include "math/msm.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2Affine;
using math::Gt;

namespace {

void require_input_count(const VerifyingKey& key, std::size_t count) {
  if (count + 1 != key.num_inputs()) {
    throw InputError("the verifying key takes " + std::to_string(key.num_inputs() - 1) + " public inputs, got " +
                     std::to_string(count));
  }
}

/// ic[0] + sum of inputs[i] * ic[i + 1]
G1 input_point(const VerifyingKey& key, std::span<const Fr> inputs) {
  return math::msm(std::span(key.ic).subspan(1), inputs, Executor(1)) + G1(key.ic[0]);
}

/// A random 128-bit number, not zero.
Fr random_weight() {
  for (;;) {
    const Fr::Limbs limbs = Fr::random().to_canonical();
    if ((limbs[0] | limbs[1]) != 0) return Fr::from_canonical({limbs[0], limbs[1], 0, 0});
  }
}

}  // namespace

PreparedVerifyingKey::PreparedVerifyingKey(VerifyingKey verifying_key)
    : key(std::move(verifying_key)), alpha_beta(math::pairing(key.alpha_g1, key.beta_g2)) {}

bool verify(const PreparedVerifyingKey& prepared, std::span<const Fr> inputs, const Proof& proof) {
  const VerifyingKey& key = prepared.key;
  require_input_count(key, inputs.size());
  // e(A, B) = e(alpha, beta) * e(inputs, gamma) * e(C, delta)
  const G1Affine left[] = {proof.a, (-input_point(key, inputs)).to_affine(), -proof.c};
  const G2Affine right[] = {proof.b, key.gamma_g2, key.delta_g2};
  return math::pairing_product(left, right) == prepared.alpha_beta;
}

bool verify_batch(const PreparedVerifyingKey& prepared, std::span<const Claim> claims, const Executor& exec) {
  const VerifyingKey& key = prepared.key;
  if (claims.empty()) return true;
  if (claims.size() == 1) return verify(prepared, claims[0].inputs, claims[0].proof);
  std::vector<Fr> weighted_inputs(key.num_inputs());
  std::vector<Fr> weights;
  std::vector<G1Affine> c_points;
  for (const Claim& claim : claims) {
    require_input_count(key, claim.inputs.size());
    const Fr weight = random_weight();
    weights.push_back(weight);
    c_points.push_back(claim.proof.c);
    weighted_inputs[0] += weight;
    for (std::size_t i = 0; i < claim.inputs.size(); ++i) weighted_inputs[i + 1] += weight * claim.inputs[i];
  }
  std::vector<G1Affine> left(claims.size());
  std::vector<G2Affine> right(claims.size());
  exec.parallel_for(claims.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      left[i] = (G1(claims[i].proof.a) * weights[i]).to_affine();
      right[i] = claims[i].proof.b;
    }
  });
  left.push_back(-(G1(key.alpha_g1) * weighted_inputs[0]).to_affine());
  right.push_back(key.beta_g2);
  left.push_back(-math::msm(key.ic, weighted_inputs, exec).to_affine());
  right.push_back(key.gamma_g2);
  left.push_back(-math::msm(c_points, weights, exec).to_affine());
  right.push_back(key.delta_g2);
  return math::pairing_product(left, right) == Gt::one();
}

}  // namespace proofline::groth16
