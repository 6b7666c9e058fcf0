#pragma once
/// Randomness of a sector update: phi, one value an update, and rho, one value for each run of nodes.
/// Source: FIP-0019; rust-fil-proofs storage-proofs-update/src/vanilla.rs.
#include <vector>

#include "base/executor.hpp"
#include "filecoin/update_shape.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {

/// Poseidon of arity 2 with neptune's tag Arbitrary(1): phi, rho and the digests of the challenges. Made at first use
/// and kept for the process. Thread safe.
const math::PoseidonConstants& update_poseidon();

/// H(comm_d_new, comm_r_old).
math::Fr update_phi(const math::Fr& comm_d_new, const math::Fr& comm_r_old);

/// H(phi, high), for the nodes whose index has `high` in its highest h bits.
math::Fr update_rho(const math::Fr& phi, std::uint64_t high);

/// All 2^h of them, in order; h <= 12.
std::vector<math::Fr> update_rhos(const math::Fr& phi, unsigned h, const Executor& exec);

}  // namespace proofline::filecoin
