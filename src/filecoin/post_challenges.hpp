#pragma once
/// Which sector and which leaves a proof of spacetime must open.
/// Source: rust-fil-proofs storage-proofs-post/src/fallback/{vanilla,utils}.rs.
#include <cstdint>
#include <vector>

#include "filecoin/post_shape.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// The challenged leaves of one sector, in proof order, repetitions possible. Challenge n is the first 8 bytes of
/// SHA-256(randomness || le64(sector_id) || le64(i)) as a little-endian integer modulo the number of leaves, where
/// i = n, or for WindowPoSt under V1_0 and V1_1
/// i = sector_index * 10 + n. There a provider that orders its sectors chooses among challenges, which V1_2 ends.
/// `sector_index` counts the sectors of all partitions, from 0; a WinningPoSt has only sector 0.
/// Throws InputError when the randomness is no field element (chains clear its top two bits).
std::vector<std::uint64_t> post_challenges(const PostShape& shape, ApiVersion version, const Bytes32& randomness,
                                           std::uint64_t sector_id, std::uint64_t sector_index);

/// Which of a provider's `sectors` sectors, counted from 0, a WinningPoSt must open: the first 8 bytes of
/// SHA-256(prover_id || randomness || le64(0)) as a little-endian integer modulo their number.
/// Throws InputError when there is no sector, or when randomness or prover id is no field element.
std::uint64_t winning_post_sector(const Bytes32& prover_id, const Bytes32& randomness, std::uint64_t sectors);

}  // namespace proofline::filecoin
