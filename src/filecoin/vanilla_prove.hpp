#pragma once
/// Making the vanilla proof (C1) of a sealed sector.
#include <filesystem>

#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// Opens the sector in `folder` (seal_sector's, or the reference's of the same layout) at the challenges
/// of its registered proof (interactive, synthetic or non-interactive): reads sector.json, all layers, tree_d, tree_c,
/// tree_r_last, sealed and p_aux. Files are mapped, not loaded; the dropped rows of tree_r_last are hashed anew where
/// paths cross them. The result has not been verified: damage inside a file is found by verify_vanilla. Throws IoError
/// for a file that cannot be read; InputError naming the file when it has the wrong length, when roots and commitments
/// disagree, when a node on the way is no field element, or when the sector has no registered proof.
VanillaProof prove_vanilla(const std::filesystem::path& folder);

}  // namespace proofline::filecoin
