#pragma once
/// Poseidon with AVX-512 IFMA, eight hashes at a time. Call only when ifma_available().
#include "math/ifma.hpp"
#if PROOFLINE_HAVE_IFMA

#include <span>

#include "math/poseidon.hpp"

namespace proofline::math {

/// Hashes that fill the lanes.
inline constexpr std::size_t kPoseidonLanes = 8;
/// The largest arity whose sums of products stay in the range that lane arithmetic allows.
inline constexpr unsigned kLargestLaneArity = 36;

/// The constants of the optimised schedule in 52-bit limbs: keys; MDS matrix and pre-sparse matrix column
/// by column; of each sparse matrix the first column, then the rest of the first row. Empty for arities
/// above kLargestLaneArity.
std::vector<std::array<std::uint64_t, 5>> poseidon_lane_factors(const PoseidonConstants& constants);

/// digests[i] of preimages[i * arity, (i + 1) * arity) for kPoseidonLanes hashes, with
/// constants.lane_factors.
void poseidon_lanes(const PoseidonConstants& constants, const Fr* preimages, Fr* digests);

}  // namespace proofline::math

#endif
