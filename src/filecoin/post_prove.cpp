#include "filecoin/post_prove.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_vanilla_verify.hpp"

namespace proofline::filecoin {

groth16::Proof prove_post_partition(const PostStatement& statement, std::size_t partition,
                                    std::vector<PostSectorProof> proofs, std::string_view name,
                                    const r1cs::StructuredR1cs& circuit,
                                    std::shared_ptr<const groth16::MappedParameters> parameters,
                                    groth16::Blinding blinding, const Executor& exec,
                                    groth16::StageObserver* observer) {
  const auto done = [&](std::string_view stage) {
    if (observer != nullptr) observer->stage_done(stage);
  };
  verify_post_partition(statement, partition, proofs, name, exec);
  done("check vanilla proofs");
  r1cs::CompactWitness witness =
      r1cs::generate_witness(post_circuit(post_circuit_sectors(statement.shape, proofs)), exec);
  proofs = {};
  // The prover verifies against the witness's inputs: they must be those that a verifier derives.
  if (!std::ranges::equal(std::span(witness.inputs).subspan(1), post_public_inputs(statement, partition))) {
    throw Error(std::string(name) + ": the circuit's public inputs are not those of the statement");
  }
  done("witness");
  return groth16::prove(circuit, std::move(witness), std::move(parameters), std::move(blinding), exec, observer);
}

bool verify_post(const PostStatement& statement, std::span<const groth16::Proof> proofs,
                 const groth16::PreparedVerifyingKey& key, const Executor& exec) {
  check_statement(statement);
  const std::size_t partitions = post_partitions(statement.shape, statement.sectors.size());
  if (proofs.size() != partitions) {
    throw InputError(std::string(post_name(statement.shape.kind)) + ": " + std::to_string(partitions) +
                     " proofs expected for " + std::to_string(statement.sectors.size()) + " sectors, got " +
                     std::to_string(proofs.size()));
  }
  std::vector<groth16::Claim> claims;
  claims.reserve(partitions);
  for (std::size_t i = 0; i < partitions; ++i) claims.push_back({post_public_inputs(statement, i), proofs[i]});
  return groth16::verify_batch(key, claims, exec);
}

}  // namespace proofline::filecoin
