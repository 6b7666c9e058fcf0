#include "filecoin/update_circuit.hpp"

#include <memory>
#include <string>

#include "base/error.hpp"
#include "filecoin/inclusion_circuit.hpp"
#include "filecoin/update_inputs.hpp"
#include "filecoin/update_randomness.hpp"
#include "gadgets/challenge_bits.hpp"
#include "gadgets/inclusion_at.hpp"
#include "gadgets/poseidon.hpp"

namespace proofline::filecoin {
namespace {

using gadgets::Boolean;
using gadgets::Number;
using gadgets::TreeHash;
using math::Fr;
using r1cs::Builder;
using r1cs::Scope;

using Bits = std::vector<Boolean>;
using Siblings = std::vector<std::vector<Number>>;

Siblings alloc_path(Builder& cs, std::span<const PathElement> path) {
  Siblings out;
  for (const PathElement& element : path) {
    std::vector<Number>& level = out.emplace_back();
    for (const Fr& sibling : element.siblings) level.push_back(gadgets::alloc_number(cs, sibling));
  }
  return out;
}

/// comm_r is the hash of comm_c and the replica tree's root.
void enforce_comm_r(Builder& cs, const char* name, const Number& comm_c, const Number& root, const Number& comm_r) {
  const Scope scope(cs, name);
  const Number pair[] = {comm_c, root};
  gadgets::enforce_equal(cs, gadgets::poseidon(cs, math::poseidon_constants(2), pair), comm_r);
}

/// The root of the binary SHA-256 tree over the apex leaves.
Number apex_root(Builder& cs, std::vector<Number> row) {
  for (std::int64_t height = 0; row.size() > 1; ++height) {
    const Scope scope(cs, "row", height);
    std::vector<Number> parents(row.size() / 2);
    cs.for_each(parents.size(), [&](Builder& part, std::size_t i) {
      const Scope hash(part, "hash", static_cast<std::int64_t>(i));
      parents[i] = gadgets::sha256_of_two(part, row[2 * i], row[2 * i + 1]);
    });
    row = std::move(parents);
  }
  return row.front();
}

/// What the challenges of a partition share.
struct Shared {
  const UpdateShape& shape;
  Bits partition_bits, h_select;
  Number phi, root_r_old, root_r_new;
  std::vector<Number> apex_leaves;
};

void enforce_replica_inclusion(Builder& cs, const char* name, const MerkleProof& proof, const Bits& position,
                               const Number& root, const Number& leaf) {
  const Scope scope(cs, name);
  const Siblings siblings = alloc_path(cs, proof.path);
  gadgets::enforce_inclusion_at(cs, TreeHash::kPoseidon, position, siblings, root, leaf);
}

/// The node is in tree_d: from the leaf up to the partition's apex leaf, which the apex tree has joined to comm_d_new.
void enforce_data_inclusion(Builder& cs, const Shared& shared, const MerkleProof& proof, const Bits& position,
                            const Number& leaf) {
  const Scope scope(cs, "d_new_inclusion");
  const std::span<const Boolean> bits(position);
  const unsigned levels = shared.shape.levels_to_apex();
  const Number apex_leaf = gadgets::select(cs, shared.apex_leaves, bits.subspan(levels, shared.shape.apex_bits()));
  const Siblings siblings = alloc_path(cs, std::span(proof.path).first(levels));
  gadgets::enforce_inclusion_at(cs, TreeHash::kSha256, bits.first(levels), siblings, apex_leaf, leaf);
}

Number challenge_rho(Builder& cs, const Shared& shared, const Bits& position) {
  const Scope scope(cs, "rho");
  const Number high = gadgets::selected_high_bits(cs, position, shared.h_select, shared.shape.h_values);
  const Number preimage[] = {shared.phi, high};
  return gadgets::poseidon(cs, update_poseidon(), preimage);
}

void synthesize_challenge(Builder& cs, const Shared& shared, const UpdateChallengeProof& proof, const Bits& position) {
  const Number rho = challenge_rho(cs, shared, position);
  const Number r_old = gadgets::alloc_number(cs, proof.r_old.leaf);
  const Number d_new = gadgets::alloc_number(cs, proof.d_new.leaf);
  const Number r_new = gadgets::add(cs, r_old, gadgets::multiply(cs, d_new, rho));
  enforce_replica_inclusion(cs, "r_old_inclusion", proof.r_old, position, shared.root_r_old, r_old);
  enforce_replica_inclusion(cs, "r_new_inclusion", proof.r_new, position, shared.root_r_new, r_new);
  enforce_data_inclusion(cs, shared, proof.d_new, position, d_new);
}

std::span<const PathElement> partition_path(const UpdateShape& shape, const UpdateChallengeProof& challenge) {
  return std::span(challenge.d_new.path).last(shape.partition_bits());
}

UpdatePartitionProof placeholder_proof(const UpdateShape& shape) {
  const MerkleProof replica = placeholder_path(shape.tree, shape.nodes());
  const MerkleProof data = placeholder_path({2, 0, 0}, shape.nodes());
  UpdatePartitionProof out;
  out.apex_leaves.resize(shape.apex_leaves);
  out.challenges.assign(shape.challenges_per_partition, {replica, data, replica});
  return out;
}

}  // namespace

UpdatePartition update_partition(const UpdateStatement& statement, unsigned partition,
                                 const UpdatePartitionProof& proof) {
  const UpdateShape& shape = statement.shape();
  const std::string name = "partition " + std::to_string(partition);
  check_update_counts(shape, proof, name);
  const auto siblings = [&](const UpdateChallengeProof& challenge) {
    std::vector<Fr> out;
    for (const PathElement& element : partition_path(shape, challenge)) out.push_back(element.siblings.front());
    return out;
  };
  for (std::size_t i = 1; i < proof.challenges.size(); ++i) {
    if (siblings(proof.challenges[i]) != siblings(proof.challenges.front())) {
      throw InputError(name + ": challenge " + std::to_string(i) + ": proof_d_new: the path above the apex leaves is " +
                       "not challenge 0's");
    }
  }
  return {statement, partition_and_h_select(shape, partition), &proof};
}

void synthesize_update(Builder& cs, const UpdatePartition& partition) {
  const UpdateStatement& statement = partition.statement;
  const UpdatePartitionProof& proof = *partition.proof;
  const UpdateShape& shape = statement.shape();
  const UpdateChallengeProof& first = proof.challenges.front();
  const unsigned partition_bits = shape.partition_bits();

  Shared shared{shape, {}, {}, {}, {}, {}, {}};
  const Number selectors = gadgets::alloc_number(cs, partition.partition_and_h_select);
  gadgets::inputize(cs, selectors);
  shared.partition_bits = gadgets::decompose(cs, selectors, partition_bits + kUpdateHValues);
  shared.h_select.assign(shared.partition_bits.begin() + partition_bits, shared.partition_bits.end());
  shared.partition_bits.resize(partition_bits);
  const Number number = gadgets::pack_bits(cs, shared.partition_bits);
  const Number comm_r_old = gadgets::alloc_number(cs, statement.comm_r_old);
  gadgets::inputize(cs, comm_r_old);
  const Number comm_d_new = gadgets::alloc_number(cs, statement.comm_d_new);
  gadgets::inputize(cs, comm_d_new);
  const Number comm_r_new = gadgets::alloc_number(cs, statement.comm_r_new);
  gadgets::inputize(cs, comm_r_new);
  {
    const Scope scope(cs, "phi");
    const Number preimage[] = {comm_d_new, comm_r_old};
    shared.phi = gadgets::poseidon(cs, update_poseidon(), preimage);
  }

  const Number comm_c = gadgets::alloc_number(cs, proof.comm_c);
  shared.root_r_old = gadgets::alloc_number(cs, first.r_old.root);
  shared.root_r_new = gadgets::alloc_number(cs, first.r_new.root);
  for (const Fr& leaf : proof.apex_leaves) shared.apex_leaves.push_back(gadgets::alloc_number(cs, leaf));
  const Siblings upper_path = alloc_path(cs, partition_path(shape, first));
  enforce_comm_r(cs, "comm_r_old", comm_c, shared.root_r_old, comm_r_old);
  enforce_comm_r(cs, "comm_r_new", comm_c, shared.root_r_new, comm_r_new);
  {
    const Scope scope(cs, "apex");
    const Number root = apex_root(cs, shared.apex_leaves);
    gadgets::enforce_inclusion_at(cs, TreeHash::kSha256, shared.partition_bits, upper_path, comm_d_new, root);
  }

  std::vector<Bits> positions;
  {
    const Scope scope(cs, "challenges");
    positions = gadgets::challenge_bits(cs, update_poseidon(), comm_r_new, number, proof.challenges.size(),
                                        shape.node_bits() - partition_bits);
  }
  cs.for_each(proof.challenges.size(), [&](Builder& part, std::size_t i) {
    const Scope scope(part, "challenge", static_cast<std::int64_t>(i));
    Bits position = positions[i];
    position.insert(position.end(), shared.partition_bits.begin(), shared.partition_bits.end());
    synthesize_challenge(part, shared, proof.challenges[i], position);
  });
}

r1cs::Circuit update_circuit(const UpdatePartition& partition) {
  return [partition](Builder& cs) { synthesize_update(cs, partition); };
}

r1cs::Circuit update_shape_circuit(const UpdateShape& shape) {
  const auto proof = std::make_shared<const UpdatePartitionProof>(placeholder_proof(shape));
  UpdatePartition partition;
  partition.statement.sector_size = shape.sector_size;
  partition.proof = proof.get();
  return [partition, proof](Builder& cs) { synthesize_update(cs, partition); };
}

}  // namespace proofline::filecoin
