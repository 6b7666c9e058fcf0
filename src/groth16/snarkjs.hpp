#pragma once
/// Export to snarkjs' JSON (curve bls12381), so that an outside program can verify a proof:
/// `snarkjs groth16 verify verification_key.json public.json proof.json`.
#include <span>
#include <string>

#include "groth16/proof.hpp"
#include "groth16/verifying_key.hpp"

namespace proofline::groth16 {

std::string snarkjs_verification_key(const VerifyingKey& key);
std::string snarkjs_proof(const Proof& proof);
/// `inputs` without ONE.
std::string snarkjs_public(std::span<const math::Fr> inputs);

}  // namespace proofline::groth16
