#pragma once
/// What a sector's size fixes for updates (SnapDeals): how many partition proofs, challenges and apex leaves, and the
/// circuit's choices of h. Source: FIP-0019; rust-fil-proofs storage-proofs-update/src/constants.rs.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

inline constexpr std::size_t kUpdateHValues = 6;

struct UpdateShape {
  std::uint64_t sector_size = 0;  ///< bytes
  TreeShape tree;                 ///< of both replicas' tree_r_last; tree_d is binary
  unsigned partitions = 0;        ///< 1, 2, 4 or 16
  unsigned challenges_per_partition = 0;
  unsigned apex_leaves = 0;                         ///< nodes of tree_d that a partition's circuit joins to its root
  std::array<unsigned, kUpdateHValues> h_values{};  ///< high bits of a node's index that select its rho
  std::string_view name;                            ///< "1KiB" ... "64GiB"

  std::uint64_t nodes() const { return sector_size / kNodeBytes; }
  unsigned node_bits() const { return static_cast<unsigned>(std::countr_zero(nodes())); }
  unsigned partition_bits() const { return static_cast<unsigned>(std::countr_zero(partitions)); }
  unsigned apex_bits() const { return static_cast<unsigned>(std::countr_zero(apex_leaves)); }
  /// Levels of a tree_d path below the apex leaves.
  unsigned levels_to_apex() const { return node_bits() - partition_bits() - apex_bits(); }
  /// The h that the network uses: 1 up to 32 KiB, else 10.
  unsigned h() const { return h_values[3]; }
};

/// Eleven sizes, ascending: 1 KiB to 64 GiB. Sectors of 1 and 8 KiB cannot be sealed (sector_shapes() lacks them), and
/// there is no update circuit for 1 GiB.
std::span<const UpdateShape> update_shapes();
/// Throws InputError naming the sizes that exist.
const UpdateShape& update_shape(std::uint64_t sector_size);

/// The selector that the circuit takes for h: 2^i where h_values[i] is the first equal to h. Throws InputError when
/// none is.
std::uint64_t h_select(const UpdateShape& shape, unsigned h);

}  // namespace proofline::filecoin
