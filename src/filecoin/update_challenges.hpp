#pragma once
/// Which nodes a sector update's partition proofs must open.
#include <cstdint>
#include <vector>

#include "filecoin/update_shape.hpp"
#include "math/fr.hpp"

namespace proofline::filecoin {

/// The challenged nodes of one partition, in proof order; all lie in the partition's share of the nodes, repetitions
/// are possible. Challenge bits come from the digests H(comm_r_new, j), as many challenges from each as fit 254 bits; j
/// counts over all partitions. The partition's number is put above them. Throws InputError when the partition does not
/// exist. Source: FIP-0019; storage-proofs-update/src/challenges.rs.
std::vector<std::uint64_t> update_challenges(const UpdateShape& shape, const math::Fr& comm_r_new, unsigned partition);

}  // namespace proofline::filecoin
