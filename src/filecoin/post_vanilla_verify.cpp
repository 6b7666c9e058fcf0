#include "filecoin/post_vanilla_verify.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "filecoin/merkle_path.hpp"
#include "filecoin/post_inputs.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

std::string sector_name(std::string_view name, std::uint64_t id) {
  return std::string(name) + ": sector " + std::to_string(id);
}

void expect_equal(const std::string& what, const Fr& got, const Fr& wanted, const char* of) {
  if (!(got == wanted)) throw InputError(what + ": expected " + hex(wanted) + " (" + of + "), got " + hex(got));
}

/// The arity of each level of a path, leaf level first.
std::vector<unsigned> level_arities(const SectorShape& sector) {
  std::vector<unsigned> out(path_shape(sector.tree, sector.nodes()).base_levels, sector.tree.base);
  for (const unsigned arity : {sector.tree.sub, sector.tree.top}) {
    if (arity != 0) out.push_back(arity);
  }
  return out;
}

std::string inclusion_name(const std::string& sector, std::size_t n) {
  return sector + ": inclusion_proofs[" + std::to_string(n) + "]";
}

/// Everything about a path but its hashes.
void check_path(const MerkleProof& proof, const std::vector<unsigned>& arities, const Fr& root, std::uint64_t leaf,
                const std::string& where) {
  if (proof.path.size() != arities.size()) {
    throw InputError(where + ": a path of " + std::to_string(arities.size()) + " levels expected, got " +
                     std::to_string(proof.path.size()));
  }
  for (std::size_t level = 0; level < arities.size(); ++level) {
    const PathElement& element = proof.path[level];
    if (element.siblings.size() != arities[level] - 1 || element.index >= arities[level]) {
      throw InputError(where + ", level " + std::to_string(level) + ": " + std::to_string(arities[level] - 1) +
                       " siblings and an index below " + std::to_string(arities[level]) + " expected, got " +
                       std::to_string(element.siblings.size()) + " and " + std::to_string(element.index));
    }
  }
  expect_equal(where + ": root", proof.root, root, "comm_r_last");
  const std::uint64_t position = path_position(proof.path);
  if (position != leaf) {
    throw InputError(where + ": expected the path of the challenged leaf " + std::to_string(leaf) +
                     ", got that of leaf " + std::to_string(position));
  }
}

/// Where the paths lead, level by level so that the hashes of a level are made together. Their shapes have been
/// checked.
std::vector<Fr> path_ends(std::span<const MerkleProof> proofs, const std::vector<unsigned>& arities) {
  std::vector<Fr> nodes, children;
  for (const MerkleProof& proof : proofs) nodes.push_back(proof.leaf);
  for (std::size_t level = 0; level < arities.size(); ++level) {
    children.clear();
    for (std::size_t n = 0; n < proofs.size(); ++n) {
      const PathElement& element = proofs[n].path[level];
      const auto before = element.siblings.begin() + static_cast<std::ptrdiff_t>(element.index);
      children.insert(children.end(), element.siblings.begin(), before);
      children.push_back(nodes[n]);
      children.insert(children.end(), before, element.siblings.end());
    }
    math::poseidon_many(math::poseidon_constants(arities[level]), children, nodes);
  }
  return nodes;
}

}  // namespace

void verify_post_sector(const PostSectorProof& proof, const PostShape& shape, std::span<const std::uint64_t> challenges,
                        std::string_view name, const Executor& exec) {
  const std::string where = sector_name(name, proof.sector.id);
  const Fr pair[] = {proof.comm_c, proof.comm_r_last};
  expect_equal(where + ": hash of comm_c and comm_r_last", math::poseidon(math::poseidon_constants(2), pair),
               proof.sector.comm_r, "comm_r");
  if (proof.inclusion_proofs.size() != challenges.size()) {
    throw InputError(where + ": " + std::to_string(challenges.size()) + " inclusion proofs expected, got " +
                     std::to_string(proof.inclusion_proofs.size()));
  }
  const std::vector<unsigned> arities = level_arities(*shape.sector);
  for (std::size_t n = 0; n < challenges.size(); ++n) {
    check_path(proof.inclusion_proofs[n], arities, proof.comm_r_last, challenges[n], inclusion_name(where, n));
  }
  // Enough for the lanes of poseidon_many.
  constexpr std::size_t kTogether = 16;
  exec.parallel_for(challenges.size(), kTogether, [&](std::size_t begin, std::size_t end) {
    const std::vector<Fr> ends = path_ends(std::span(proof.inclusion_proofs).subspan(begin, end - begin), arities);
    for (std::size_t n = begin; n < end; ++n) {
      expect_equal(inclusion_name(where, n) + ": end of the path", ends[n - begin], proof.comm_r_last, "comm_r_last");
    }
  });
}

void verify_post_partition(const PostStatement& statement, std::size_t partition,
                           std::span<const PostSectorProof> proofs, std::string_view name, const Executor& exec) {
  check_statement(statement);
  const std::span<const PostSector> sectors = partition_sectors(statement, partition);
  for (std::size_t i = 0; i < std::min(proofs.size(), sectors.size()); ++i) {
    const PostSector& got = proofs[i].sector;
    if (got.id != sectors[i].id) {
      throw InputError(std::string(name) + ": partition " + std::to_string(partition) + ", place " + std::to_string(i) +
                       ": the proof of sector " + std::to_string(sectors[i].id) + " expected, got that of sector " +
                       std::to_string(got.id));
    }
    expect_equal(sector_name(name, got.id) + ": comm_r", got.comm_r, sectors[i].comm_r, "of the statement");
  }
  if (proofs.size() != sectors.size()) {
    throw InputError(std::string(name) + ": partition " + std::to_string(partition) + ": proofs of " +
                     std::to_string(sectors.size()) + " sectors expected, got " + std::to_string(proofs.size()));
  }
  exec.parallel_for(proofs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      verify_post_sector(proofs[i], statement.shape, partition_challenges(statement, partition, i), name, exec);
    }
  });
}

}  // namespace proofline::filecoin
