#pragma once
/// Groth16 proofs of spacetime: one a partition.
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "filecoin/post_proof.hpp"
#include "groth16/prove.hpp"

namespace proofline::filecoin {

/// Proves one partition. `proofs` are the vanilla proofs of its sectors; they are checked against the statement first
/// and freed once the witness is made, so that a caller who reads a partition at a time never holds more than one.
/// `name` says in messages where they are from. `circuit` is the recorded post_shape_circuit. The proof holds for
/// post_public_inputs of the partition: it has been verified.
/// Throws InputError as verify_post_partition does, and when the parameters are of another circuit.
groth16::Proof prove_post_partition(const PostStatement& statement, std::size_t partition,
                                    std::vector<PostSectorProof> proofs, std::string_view name,
                                    const r1cs::StructuredR1cs& circuit,
                                    std::shared_ptr<const groth16::MappedParameters> parameters,
                                    groth16::Blinding blinding, const Executor& exec,
                                    groth16::StageObserver* observer = nullptr);

/// Whether the proofs of all partitions, in order, hold for the statement. Throws InputError when the statement is not
/// sound (check_statement), there are more or fewer proofs than partitions, or the key is of another circuit.
bool verify_post(const PostStatement& statement, std::span<const groth16::Proof> proofs,
                 const groth16::PreparedVerifyingKey& key, const Executor& exec);

}  // namespace proofline::filecoin
