#pragma once
/// The output of PoRep's first commit phase (C1) in memory: what a sector reveals at its challenges.
/// Field for field rust-fil-proofs' SealCommitPhase1Output; vanilla_json.hpp reads and writes it, c1_reader.hpp reads
/// it partition by partition.
#include <array>
#include <cstdint>
#include <vector>

#include "filecoin/registered_proof.hpp"
#include "filecoin/sector_shape.hpp"
#include "math/fr.hpp"

namespace proofline::filecoin {

using Bytes32 = std::array<std::uint8_t, 32>;

/// One level of a Merkle path: the arity - 1 siblings and the position of the running node among them.
struct PathElement {
  std::vector<math::Fr> siblings;
  unsigned index = 0;
};

/// Inclusion of `leaf` under `root`; `path` from the leaves upwards through base, sub and top levels.
/// Nodes of the SHA-256 tree (tree_d) are field elements too: their top two bits are zero.
struct MerkleProof {
  math::Fr root;
  math::Fr leaf;
  std::vector<PathElement> path;
};

/// The labels of one node in all layers (first layer first) and the inclusion of their hash in tree_c.
struct ColumnProof {
  std::uint32_t index = 0;  ///< the node
  std::vector<math::Fr> rows;
  MerkleProof inclusion;
};

/// A label's recomputation: the 37 repeated parent labels that it hashes.
struct LabelingProof {
  std::vector<math::Fr> parents;
  std::uint32_t layer_index = 0;  ///< 1 for the first layer
  std::uint64_t node = 0;
};

/// Everything for one challenged node.
struct ChallengeProof {
  MerkleProof comm_d_proof;
  MerkleProof comm_r_last_proof;
  ColumnProof c_x;
  std::vector<ColumnProof> drg_parents;        ///< 6
  std::vector<ColumnProof> expander_parents;   ///< 8
  std::vector<LabelingProof> labeling_proofs;  ///< one a layer
  LabelingProof encoding_proof;                ///< same content as the last layer's labeling proof
};

/// What a vanilla proof says beside its challenges.
struct VanillaHeader {
  RegisteredSealProof registered_proof{};
  math::Fr comm_r;
  math::Fr comm_d;
  math::Fr replica_id;
  Bytes32 seed{};
  Bytes32 ticket{};
};

struct VanillaProof : VanillaHeader {
  std::vector<std::vector<ChallengeProof>> partitions;
};

}  // namespace proofline::filecoin
