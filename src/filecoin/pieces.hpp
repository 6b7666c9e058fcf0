#pragma once
/// Pieces: what a client's data contributes to a sector, and comm_d over all of them.
/// Source: Filecoin specification, piece and data commitments.
#include <cstdint>
#include <span>

#include "base/executor.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// A piece: its commitment (comm_p) and its size after fr32 padding, a power of two of at least 128 bytes.
struct Piece {
  std::uint64_t padded_size = 0;
  Node commitment{};
  bool operator==(const Piece&) const = default;
};

/// The padded size of the smallest piece that holds `data_bytes` bytes: 128 for up to 127 bytes (and for
/// none), 256 for up to 254, and so on. Throws InputError above 2^62 bytes.
std::uint64_t piece_size_for(std::uint64_t data_bytes);

/// The commitment to padded bytes: the root of their binary SHA-256 tree. `padded` is a power of two of at
/// least 128 bytes long, else InputError.
Node piece_commitment(std::span<const std::uint8_t> padded, const Executor& exec);
/// The same for zero bytes, in a hash a level.
Node zero_commitment(std::uint64_t padded_size);

/// comm_d of a sector that holds `pieces` in order, each aligned to its own size, with zeros between and
/// after them. Throws InputError when a size is not a power of two of at least 128 bytes or the pieces do
/// not fit the sector.
Node comm_d_from_pieces(std::span<const Piece> pieces, std::uint64_t sector_size);

}  // namespace proofline::filecoin
