#pragma once
/// What kind of proof of spacetime and sector size fix: sectors and challenges of one circuit, number of partitions.
/// Source: rust-fil-proofs filecoin-proofs/src/constants.rs and parameters.rs.
#include <cstddef>
#include <string_view>

#include "filecoin/sector_shape.hpp"

namespace proofline::filecoin {

/// WinningPoSt: the leader of an epoch opens one sector. WindowPoSt: a provider opens all its sectors once a day.
enum class PostKind { kWinning, kWindow };

/// FallbackPoSt for one kind and sector size. The circuit opens `circuit_sectors` sectors at
/// `challenges_per_circuit_sector` leaves each. For WinningPoSt these are 66 and 1: the circuit takes its one sector 66
/// times, each time with another challenge. For WindowPoSt they are the sectors of a partition and 10.
struct PostShape {
  PostKind kind{};
  const SectorShape* sector = nullptr;  ///< of the table of sector shapes
  unsigned circuit_sectors = 0;
  unsigned challenges_per_circuit_sector = 0;
  unsigned challenges_per_sector = 0;  ///< leaves that a sector's vanilla proof opens: 66 or 10

  /// Sectors that a partition proves: 1, or for WindowPoSt at most this many.
  unsigned sectors_per_partition() const { return kind == PostKind::kWinning ? 1 : circuit_sectors; }
  /// Public inputs of the circuit with ONE: for each circuit sector comm_r and its challenges.
  std::size_t num_inputs() const {
    return 1 + std::size_t{circuit_sectors} * (1 + std::size_t{challenges_per_circuit_sector});
  }
};

PostShape post_shape(PostKind kind, const SectorShape& sector);

/// "winning-post" or "window-post".
std::string_view post_name(PostKind kind);
/// The inverse. Throws InputError for any other name.
PostKind post_kind(std::string_view name);

/// Partitions, and so proofs, for that many sectors: 1 for WinningPoSt, else as many as hold all sectors. In a last
/// partition that is not full, the last sector is proved again for each place left over.
/// Throws InputError for no sector, and for a WinningPoSt of several.
std::size_t post_partitions(const PostShape& shape, std::size_t sectors);

}  // namespace proofline::filecoin
