#pragma once
/// The public inputs of a sector update's proofs, derived from what the chain knows.
#include <vector>

#include "filecoin/update_proof.hpp"

namespace proofline::filecoin {

/// Partition number and selector of the shape's h in one number: the partition's bits lowest, the selector above.
math::Fr partition_and_h_select(const UpdateShape& shape, unsigned partition);

/// The public inputs of one partition, without ONE: partition and selector, comm_r_old, comm_d_new, comm_r_new. Throws
/// InputError when the partition does not exist.
std::vector<math::Fr> update_public_inputs(const UpdateStatement& statement, unsigned partition);

}  // namespace proofline::filecoin
