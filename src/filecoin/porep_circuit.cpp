#include "filecoin/porep_circuit.hpp"

#include <memory>

#include "base/error.hpp"
#include "filecoin/inclusion_circuit.hpp"
#include "gadgets/number.hpp"
#include "gadgets/poseidon.hpp"
#include "gadgets/sha256.hpp"
#include "gadgets/u64.hpp"

namespace proofline::filecoin {
namespace {

using gadgets::Boolean;
using gadgets::Number;
using gadgets::TreeHash;
using math::Fr;
using r1cs::Builder;
using r1cs::Scope;

using Bits = std::vector<Boolean>;
using Column = std::vector<Number>;

/// Column hash: Poseidon over the labels of all layers, 2 or 11 of them.
Number column_hash(Builder& cs, const Column& column) {
  const Scope scope(cs, "column_hash");
  return gadgets::poseidon(cs, math::poseidon_constants(static_cast<unsigned>(column.size())), column);
}

/// Allocates a parent's column and enforces its inclusion in tree_c.
Column open_column(Builder& cs, const ColumnProof& proof, const Number& comm_c) {
  Column column;
  column.reserve(proof.rows.size());
  for (const Fr& label : proof.rows) column.push_back(gadgets::alloc_number(cs, label));
  const Number hash = column_hash(cs, column);
  enforce_inclusion(cs, "inclusion", TreeHash::kPoseidon, proof.inclusion, comm_c, hash);
  return column;
}

/// SHA-256 over replica_id, layer, node and 37 parent labels, cut to 254 bits.
Number create_label(Builder& cs, const Bits& replica_id, std::uint32_t layer, const Bits& node_le,
                    const std::vector<Bits>& parents) {
  const Scope scope(cs, "create_label");
  Bits preimage = replica_id;
  preimage.reserve(512 + kTotalParents * 256);
  for (unsigned i = 32; i-- > 0;) preimage.push_back(Boolean::constant((layer >> i) & 1));
  preimage.insert(preimage.end(), node_le.rbegin(), node_le.rend());
  preimage.resize(512);
  for (std::size_t i = 0; i < kTotalParents; ++i) {
    const Bits& parent = parents[i % parents.size()];
    preimage.insert(preimage.end(), parent.begin(), parent.end());
  }
  const Bits digest = gadgets::reverse_bits_in_bytes(gadgets::sha256(cs, preimage));
  return gadgets::pack_bits(cs, std::span(digest).first(Fr::kCapacity));
}

struct Commitments {
  Number comm_d, comm_c, comm_r_last;
};

void synthesize_challenge(Builder& cs, const ChallengeProof& proof, const Commitments& roots, const Bits& replica_id) {
  const Number data = gadgets::alloc_number(cs, proof.comm_d_proof.leaf);
  enforce_inclusion(cs, "comm_d_inclusion", TreeHash::kSha256, proof.comm_d_proof, roots.comm_d, data);

  std::vector<Column> drg_parents(proof.drg_parents.size()), expander_parents(proof.expander_parents.size());
  cs.for_each(drg_parents.size(), [&](Builder& part, std::size_t i) {
    const Scope scope(part, "drg_parent", static_cast<std::int64_t>(i));
    drg_parents[i] = open_column(part, proof.drg_parents[i], roots.comm_c);
  });
  cs.for_each(expander_parents.size(), [&](Builder& part, std::size_t i) {
    const Scope scope(part, "expander_parent", static_cast<std::int64_t>(i));
    expander_parents[i] = open_column(part, proof.expander_parents[i], roots.comm_c);
  });

  const Bits node = gadgets::alloc_u64(cs, proof.labeling_proofs.front().node);
  gadgets::pack_into_inputs(cs, node);

  Column labels(drg_parents.front().size());
  cs.for_each(labels.size(), [&](Builder& part, std::size_t i) {
    const std::size_t layer = i + 1;
    const Scope scope(part, "labeling", static_cast<std::int64_t>(layer));
    std::vector<Bits> parents;
    for (const Column& column : drg_parents)
      parents.push_back(gadgets::reverse_bits_in_bytes(gadgets::to_bits_le(part, column[layer - 1])));
    if (layer > 1) {
      for (const Column& column : expander_parents)
        parents.push_back(gadgets::reverse_bits_in_bytes(gadgets::to_bits_le(part, column[layer - 2])));
    }
    labels[i] = create_label(part, replica_id, static_cast<std::uint32_t>(layer), node, parents);
  });

  const Number encoded = gadgets::add(cs, labels.back(), data);
  enforce_inclusion(cs, "comm_r_last_inclusion", TreeHash::kPoseidon, proof.comm_r_last_proof, roots.comm_r_last,
                    encoded);
  const Number hash = column_hash(cs, labels);
  enforce_inclusion(cs, "c_x_inclusion", TreeHash::kPoseidon, proof.c_x.inclusion, roots.comm_c, hash);
}

ChallengeProof placeholder_challenge(const SectorShape& shape) {
  const MerkleProof path = placeholder_path(shape.tree, shape.nodes());
  const ColumnProof column{0, std::vector<Fr>(shape.layers), path};
  ChallengeProof proof;
  proof.comm_d_proof = placeholder_path({2, 0, 0}, shape.nodes());
  proof.comm_r_last_proof = path;
  proof.c_x = column;
  proof.drg_parents.assign(kDrgParents, column);
  proof.expander_parents.assign(kExpanderParents, column);
  proof.labeling_proofs.resize(shape.layers);
  return proof;
}

}  // namespace

PorepPartition porep_partition(const VanillaProof& proof, std::size_t index) {
  if (index >= proof.partitions.size()) {
    throw InputError("partition " + std::to_string(index) + " asked of a vanilla proof with " +
                     std::to_string(proof.partitions.size()) + " partitions");
  }
  return porep_partition(proof, proof.partitions[index]);
}

PorepPartition porep_partition(const VanillaHeader& header, std::span<const ChallengeProof> challenges) {
  return {header.replica_id,
          header.comm_d,
          header.comm_r,
          challenges.front().comm_r_last_proof.root,
          challenges.front().c_x.inclusion.root,
          challenges};
}

void synthesize_porep(Builder& cs, const PorepPartition& partition) {
  const Number replica_id = gadgets::alloc_number(cs, partition.replica_id);
  gadgets::inputize(cs, replica_id);
  const Bits replica_id_bits = gadgets::reverse_bits_in_bytes(gadgets::to_bits_le(cs, replica_id));
  const Number comm_d = gadgets::alloc_number(cs, partition.comm_d);
  gadgets::inputize(cs, comm_d);
  const Number comm_r = gadgets::alloc_number(cs, partition.comm_r);
  gadgets::inputize(cs, comm_r);
  const Number comm_r_last = gadgets::alloc_number(cs, partition.comm_r_last);
  const Number comm_c = gadgets::alloc_number(cs, partition.comm_c);
  {
    const Scope scope(cs, "comm_r");
    const Number pair[] = {comm_c, comm_r_last};
    gadgets::enforce_equal(cs, comm_r, gadgets::poseidon(cs, math::poseidon_constants(2), pair));
  }
  cs.for_each(partition.challenges.size(), [&](Builder& part, std::size_t i) {
    const Scope scope(part, "challenge", static_cast<std::int64_t>(i));
    synthesize_challenge(part, partition.challenges[i], {comm_d, comm_c, comm_r_last}, replica_id_bits);
  });
}

r1cs::Circuit porep_circuit(const PorepPartition& partition) {
  return [partition](Builder& cs) { synthesize_porep(cs, partition); };
}

r1cs::Circuit porep_shape_circuit(const SectorShape& shape) {
  const auto challenges =
      std::make_shared<const std::vector<ChallengeProof>>(shape.challenges_per_partition, placeholder_challenge(shape));
  return [challenges](Builder& cs) {
    PorepPartition partition{};
    partition.challenges = *challenges;
    synthesize_porep(cs, partition);
  };
}

}  // namespace proofline::filecoin
