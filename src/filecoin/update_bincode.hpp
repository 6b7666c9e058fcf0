#pragma once
/// Partition proofs of sector updates as files: bincode of rust-fil-proofs' PartitionProof, as lotus and Curio carry
/// it. comm_c, a vector of apex leaves, a vector of challenges with three Merkle proofs each (docs/formats.md).
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "filecoin/update_proof.hpp"

namespace proofline::filecoin {

/// Checks everything but hashes: counts, path shapes, indices, that elements are canonical and that nothing follows.
/// Memory is reserved only for what the input can hold. Throws InputError naming `name`, the byte and the part.
UpdatePartitionProof parse_update_partition(std::span<const std::uint8_t> bytes, const UpdateShape& shape,
                                            std::string_view name);

/// `proof` has the shape's counts.
std::vector<std::uint8_t> write_update_partition(const UpdatePartitionProof& proof, const UpdateShape& shape);

/// The file "vanilla-<partition>.bin" in a folder of partition proofs.
std::filesystem::path update_partition_file(const std::filesystem::path& folder, unsigned partition);

/// Throws IoError when the file cannot be read, InputError naming it as parse_update_partition does.
UpdatePartitionProof read_update_partition(const std::filesystem::path& file, const UpdateShape& shape);

}  // namespace proofline::filecoin
