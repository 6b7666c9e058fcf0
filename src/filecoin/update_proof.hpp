#pragma once
/// What a sector update reveals at its challenges: a partition proof, field for field rust-fil-proofs' PartitionProof
/// (storage-proofs-update/src/vanilla.rs). update_bincode.hpp reads and writes it.
#include <string_view>
#include <vector>

#include "filecoin/update_shape.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// One node in the old replica's tree, in the new data's and in the new replica's.
struct UpdateChallengeProof {
  MerkleProof r_old;
  MerkleProof d_new;
  MerkleProof r_new;
};

struct UpdatePartitionProof {
  math::Fr comm_c;                    ///< of the sealed sector; an update keeps it
  std::vector<math::Fr> apex_leaves;  ///< the partition's share of a row of the new tree_d
  std::vector<UpdateChallengeProof> challenges;
};

/// What an update's proofs are about.
struct UpdateStatement {
  std::uint64_t sector_size = 0;
  math::Fr comm_r_old, comm_d_new, comm_r_new;

  const UpdateShape& shape() const { return update_shape(sector_size); }
};

/// Checks that a partition proof has the shape's numbers of apex leaves, challenges, levels and siblings; path indices
/// are below their arity. Throws InputError naming `name` and the part.
void check_update_counts(const UpdateShape& shape, const UpdatePartitionProof& proof, std::string_view name);

}  // namespace proofline::filecoin
