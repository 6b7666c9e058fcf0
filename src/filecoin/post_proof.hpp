#pragma once
/// What a proof of spacetime is about, and the vanilla proofs it is made of. Plain values.
#include <cstdint>
#include <vector>

#include "filecoin/post_shape.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// What the chain knows of a sector.
struct PostSector {
  std::uint64_t id = 0;
  math::Fr comm_r;
  bool operator==(const PostSector&) const = default;
};

/// What a proof of spacetime proves: these sectors were stored when the randomness was drawn.
struct PostStatement {
  PostShape shape;
  ApiVersion version{};
  Bytes32 randomness{};
  std::vector<PostSector> sectors;  ///< of all partitions, by ascending id
  /// Partitions of the same proof before these sectors, full ones, made apart from them. Up to V1_1 a WindowPoSt's
  /// challenges depend on it (post_challenges.hpp).
  std::uint64_t partitions_before = 0;
};

/// A sector's vanilla proof: its leaves at the challenges. Field for field rust-fil-proofs' FallbackPoStSectorProof of
/// one sector; post_bincode.hpp reads and writes it.
struct PostSectorProof {
  PostSector sector;
  std::vector<MerkleProof> inclusion_proofs;  ///< in tree_r_last, one a challenge
  math::Fr comm_c, comm_r_last;
};

}  // namespace proofline::filecoin
