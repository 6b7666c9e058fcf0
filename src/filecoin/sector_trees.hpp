#pragma once
/// Writing the trees over a sector's data and replica, as the files of a cache.
#include <filesystem>

#include "base/output_folder.hpp"
#include "filecoin/sector_files.hpp"
#include "filecoin/tree.hpp"

namespace proofline::filecoin {

/// The nodes of a file in the making.
std::span<Node> nodes_of(const MappedOutput& file);

/// Writes tree_d over `leaves` (a power of two of them) to a new file with all rows, and returns its mapping, root
/// last. Throws IoError for what the file system refuses.
MappedOutput write_tree_d(const std::filesystem::path& path, std::span<const Node> leaves, const Executor& exec,
                          Progress& progress);

/// Writes the tree over `replica` to new files of tree_r_last in the cache of `files`, without leaves and discarded
/// rows. Memory: a seventh of a base tree. Returns the root, comm_r_last. Throws as write_tree_d; InputError when a
/// node is no field element.
Node write_tree_r_last(const SectorFiles& files, const TreeShape& shape, std::span<const Node> replica,
                       const Executor& exec, Progress& progress);

/// Writes p_aux and returns comm_r, its hash.
Node write_p_aux(const std::filesystem::path& path, const Node& comm_c, const Node& comm_r_last);

}  // namespace proofline::filecoin
