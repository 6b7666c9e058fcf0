#include "filecoin/post_vanilla_verify.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "filecoin/merkle_path.hpp"
#include "filecoin/post_inputs.hpp"
#include "math/poseidon.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

std::string hex(const Fr& value) {
  return to_hex(value.to_bytes());
}

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

void verify_inclusion(const MerkleProof& proof, const std::vector<unsigned>& arities, const Fr& root,
                      std::uint64_t leaf, const std::string& where) {
  if (proof.path.size() != arities.size()) {
    throw InputError(where + ": a path of " + std::to_string(arities.size()) + " levels expected, got " +
                     std::to_string(proof.path.size()));
  }
  for (std::size_t level = 0; level < arities.size(); ++level) {
    if (proof.path[level].siblings.size() != arities[level] - 1) {
      throw InputError(where + ", level " + std::to_string(level) + ": " + std::to_string(arities[level] - 1) +
                       " siblings expected, got " + std::to_string(proof.path[level].siblings.size()));
    }
  }
  expect_equal(where + ": root", proof.root, root, "comm_r_last");
  const std::uint64_t position = path_position(proof.path);
  if (position != leaf) {
    throw InputError(where + ": expected the path of the challenged leaf " + std::to_string(leaf) +
                     ", got that of leaf " + std::to_string(position));
  }
  expect_equal(where + ": end of the path", path_root(TreeHash::kPoseidon, proof.leaf, proof.path), root,
               "comm_r_last");
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
  exec.parallel_for(challenges.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      verify_inclusion(proof.inclusion_proofs[n], arities, proof.comm_r_last, challenges[n],
                       where + ": inclusion_proofs[" + std::to_string(n) + "]");
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
