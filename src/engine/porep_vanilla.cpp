#include "engine/porep_vanilla.hpp"

#include "filecoin/porep_circuit.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "r1cs/builder.hpp"

namespace proofline::engine {
namespace {

constexpr const char* kName = "c1";

std::uint64_t bytes_of(const filecoin::MerkleProof& proof) {
  std::uint64_t out = proof.path.size() * sizeof(filecoin::PathElement);
  for (const filecoin::PathElement& element : proof.path) out += element.siblings.size() * sizeof(math::Fr);
  return out;
}

std::uint64_t bytes_of(const filecoin::ColumnProof& column) {
  return sizeof column + column.rows.size() * sizeof(math::Fr) + bytes_of(column.inclusion);
}

std::uint64_t bytes_of(const filecoin::LabelingProof& labeling) {
  return sizeof labeling + labeling.parents.size() * sizeof(math::Fr);
}

std::uint64_t bytes_of(const filecoin::VanillaProof& proof) {
  std::uint64_t out = 0;
  for (const auto& partition : proof.partitions) {
    for (const filecoin::ChallengeProof& challenge : partition) {
      out += sizeof challenge + bytes_of(challenge.comm_d_proof) + bytes_of(challenge.comm_r_last_proof) +
             bytes_of(challenge.c_x) + bytes_of(challenge.encoding_proof);
      for (const filecoin::ColumnProof& column : challenge.drg_parents) out += bytes_of(column);
      for (const filecoin::ColumnProof& column : challenge.expander_parents) out += bytes_of(column);
      for (const filecoin::LabelingProof& labeling : challenge.labeling_proofs) out += bytes_of(labeling);
    }
  }
  return out;
}

}  // namespace

PorepVanilla::PorepVanilla(Bytes c1)
    : proof_(filecoin::parse_c1(c1, kName).proof),
      statement_(filecoin::porep_statement(proof_)),
      bytes_(bytes_of(proof_)) {}

r1cs::CompactWitness PorepVanilla::witness(std::size_t partition, const Executor& exec) const {
  std::call_once(verified_, [&] { filecoin::verify_vanilla(proof_, kName, exec); });
  return r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(proof_, partition)), exec);
}

}  // namespace proofline::engine
