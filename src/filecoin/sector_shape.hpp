#pragma once
/// What is fixed by a sector's size: graph and tree shapes and the number of challenges.
/// Source: rust-fil-proofs filecoin-proofs/src/constants.rs; Filecoin specification, Stacked DRG PoRep; FIP-0092.
#include <cstdint>
#include <span>
#include <string_view>

namespace proofline::filecoin {

inline constexpr std::size_t kNodeBytes = 32;
inline constexpr unsigned kDrgParents = 6;
inline constexpr unsigned kExpanderParents = 8;
/// Parents that a label hashes, after repetition.
inline constexpr unsigned kTotalParents = 37;

/// Arities of a Merkle tree: `base` for all levels below the sub-trees' roots, then one level of
/// `sub` and one of `top` where these are not 0.
struct TreeShape {
  unsigned base = 0;
  unsigned sub = 0;
  unsigned top = 0;
  bool operator==(const TreeShape&) const = default;
};

struct SectorShape {
  std::uint64_t sector_size = 0;  ///< bytes
  TreeShape tree;                 ///< of tree_c and tree_r_last; tree_d is binary
  unsigned layers = 0;            ///< 2 or 11
  unsigned challenges_per_partition = 0;
  unsigned partitions = 0;                  ///< interactive PoRep, synthetic or not
  unsigned non_interactive_partitions = 0;  ///< of as many challenges
  std::string_view name;                    ///< "2KiB" ... "64GiB"

  std::uint64_t nodes() const { return sector_size / kNodeBytes; }
};

/// The ten sector sizes, ascending.
std::span<const SectorShape> sector_shapes();
/// Throws InputError naming the sizes that exist.
const SectorShape& sector_shape(std::uint64_t sector_size);
/// "2KiB", "8MiB", "32GiB" (case and spaces do not matter) or a number of bytes.
const SectorShape& sector_shape(std::string_view name);

/// Levels of a path in a tree of `leaves` leaves, base levels first, then sub, then top: the arity of
/// each. Throws InputError when the shape does not fit the number of leaves.
struct PathShape {
  unsigned base_levels = 0;
  TreeShape tree;
};
PathShape path_shape(const TreeShape& tree, std::uint64_t leaves);

}  // namespace proofline::filecoin
