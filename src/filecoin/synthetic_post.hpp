#pragma once
/// Vanilla proofs of spacetime of sectors that were never sealed, of any size in seconds: for tests and measurements.
/// They satisfy the vanilla verifier and the circuit as a sealed sector's do.
///
/// Each sector has a tree of its own, whose challenged leaves are all different and whose other leaves are one node;
/// its comm_c is invented. This proves no storage: the challenges are known before the trees are made. On chain comm_r
/// comes first and the randomness is drawn later.
#include <cstdint>
#include <functional>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/post_proof.hpp"

namespace proofline::filecoin {

/// The randomness of what is made from `seed`.
Bytes32 synthetic_randomness(std::uint64_t seed);

/// Makes `sectors` sectors with ascending ids from `seed`, hands their proofs to `sink` in this order and returns what
/// they prove. The same seed gives the same proofs, whatever the number of threads; for V1_2 a sector's proof does not
/// depend on how many there are. Memory: the proofs of 64 sectors.
/// Throws InputError when the kind of proof does not take that many sectors.
PostStatement synthesize_post(const PostShape& shape, ApiVersion version, std::uint64_t seed, std::size_t sectors,
                              const std::function<void(const PostSectorProof&)>& sink, const Executor& exec,
                              Progress& progress);

}  // namespace proofline::filecoin
