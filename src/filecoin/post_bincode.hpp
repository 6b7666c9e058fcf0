#pragma once
/// A sector's vanilla proof of spacetime as bytes: rust-fil-proofs' FallbackPoStSectorProof
/// (filecoin-proofs/src/types/mod.rs, storage-proofs-post/src/fallback/vanilla.rs) in bincode, as Curio sends it:
///   sector_id u64, comm_r, number of sectors u64 (1), number of inclusion proofs u64, the inclusion proofs
///   (merkle_bincode.hpp), comm_c, comm_r_last; commitments are 32 bytes.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "filecoin/post_proof.hpp"

namespace proofline::filecoin {

/// Reads exactly one proof. Throws InputError, beginning with `name` and the byte, when it is cut off or too long, a
/// length does not fit, an element is not canonical, or the number of challenges or a path is not that of the shape.
/// No hash is computed: see post_verify.hpp.
PostSectorProof parse_post_proof(std::span<const std::uint8_t> bytes, const PostShape& shape, std::string_view name);

/// Only which sector it is, from the first 40 bytes.
PostSector parse_post_sector(std::span<const std::uint8_t> bytes, std::string_view name);

/// The bytes of a proof whose paths are those of the shape's tree.
std::vector<std::uint8_t> write_post_proof(const PostSectorProof& proof, const PostShape& shape);

/// The same from a file; the file's path goes into messages. Throws IoError, too.
PostSectorProof read_post_proof(const std::filesystem::path& file, const PostShape& shape);
PostSector read_post_sector(const std::filesystem::path& file);

}  // namespace proofline::filecoin
