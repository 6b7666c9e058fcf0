#include "filecoin/update_vanilla.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "filecoin/merkle_path.hpp"
#include "filecoin/update_challenges.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

constexpr TreeShape kBinary{2, 0, 0};

Fr comm_r_of(const Fr& comm_c, const Fr& root) {
  return math::poseidon(math::poseidon_constants(2), std::array{comm_c, root});
}

TreeOpener open_tree_d(const NodeFile& file, std::uint64_t nodes) {
  return {TreeHash::kSha256, kBinary, nodes, 1, {{file.nodes().first(nodes), file.nodes().subspan(nodes)}}};
}

void require(const std::filesystem::path& file, const std::string& what, const Node& got, const Node& expected) {
  if (got == expected) return;
  throw InputError(file.string() + ": " + what + ": expected " + to_hex(expected) + ", got " + to_hex(got));
}

/// p_aux names the tree's root, and hashes to comm_r.
void check_p_aux(const NodeFile& p_aux, const std::filesystem::path& tree, const Node& root, const Fr& comm_r,
                 const std::filesystem::path& info) {
  require(tree, "root, by comm_r_last of " + p_aux.path().string(), root, p_aux.nodes()[1]);
  const Node hash = about(p_aux.path().string(), [&] { return poseidon_parent(p_aux.nodes()); });
  require(p_aux.path(), "hash, by comm_r of " + info.string(), hash, comm_r.to_bytes());
}

/// Checks one challenge's proof.
class ChallengeVerifier {
 public:
  /// What the challenges of a partition share. Rows of the apex tree, leaves first.
  struct Shared {
    const UpdateStatement& statement;
    Fr phi, root_r_old, root_r_new;
    std::vector<std::vector<Fr>> apex_rows;
  };

  ChallengeVerifier(const Shared& shared, std::uint64_t node, std::string where)
      : shared_(shared), node_(node), where_(std::move(where)) {}

  void verify(const UpdateChallengeProof& proof) const {
    inclusion("proof_r_old", TreeHash::kPoseidon, proof.r_old, shared_.root_r_old, "challenge 0's");
    inclusion("proof_d_new", TreeHash::kSha256, proof.d_new, shared_.statement.comm_d_new, "comm_d_new");
    inclusion("proof_r_new", TreeHash::kPoseidon, proof.r_new, shared_.root_r_new, "challenge 0's");
    const UpdateShape& shape = shared_.statement.shape();
    const Fr rho = update_rho(shared_.phi, node_ >> (shape.node_bits() - shape.h()));
    equal("proof_r_new leaf", proof.r_new.leaf, proof.r_old.leaf + proof.d_new.leaf * rho,
          "proof_r_old leaf + proof_d_new leaf * rho");
    apex(proof.d_new.path);
  }

 private:
  [[noreturn]] void fail(const std::string& field, const std::string& what) const {
    throw InputError(where_ + field + " (node " + std::to_string(node_) + "): " + what);
  }

  void equal(const std::string& field, const Fr& got, const Fr& wanted, const std::string& of) const {
    if (!(got == wanted)) fail(field, "expected " + hex(wanted) + " (" + of + "), got " + hex(got));
  }

  void inclusion(const std::string& field, TreeHash hash, const MerkleProof& proof, const Fr& root,
                 const std::string& root_name) const {
    equal(field + " root", proof.root, root, root_name);
    const std::uint64_t got = path_position(proof.path);
    if (got != node_) {
      fail(field, "expected the path of leaf " + std::to_string(node_) + ", got that of leaf " + std::to_string(got));
    }
    equal(field + ": end of the path", path_root(hash, proof.leaf, proof.path), proof.root, "root");
  }

  /// The data's path goes through the apex tree as apex_leaves makes it.
  void apex(std::span<const PathElement> path) const {
    const UpdateShape& shape = shared_.statement.shape();
    std::uint64_t index = (node_ >> shape.levels_to_apex()) % shape.apex_leaves;
    for (unsigned row = 0; row < shape.apex_bits(); ++row, index /= 2) {
      const unsigned level = shape.levels_to_apex() + row;
      equal("proof_d_new: sibling on level " + std::to_string(level), path[level].siblings.front(),
            shared_.apex_rows[row][index ^ 1], "apex leaves");
    }
  }

  const Shared& shared_;
  std::uint64_t node_;
  std::string where_;
};

std::vector<std::vector<Fr>> apex_rows(const std::vector<Fr>& leaves) {
  std::vector<std::vector<Fr>> rows{leaves};
  while (rows.back().size() > 1) {
    std::vector<Fr> parents;
    for (std::size_t i = 0; i < rows.back().size(); i += 2) {
      parents.push_back(
          node_to_fr(sha256_parent(rows.back()[i].to_bytes(), rows.back()[i + 1].to_bytes()), "SHA-256 parent"));
    }
    rows.push_back(std::move(parents));
  }
  return rows;
}

}  // namespace

UpdatedSector::UpdatedSector(const std::filesystem::path& sector, const std::filesystem::path& update)
    : info_(read_update_info(UpdateFiles::info(update))),
      shape_(sector_shape(info_.statement.sector_size)),
      old_files_(sector, shape_),
      new_files_(update, shape_),
      p_aux_old_(old_files_.p_aux(), 2),
      p_aux_new_(new_files_.p_aux(), 2),
      tree_d_file_(new_files_.tree_d(), TreeRows(2, shape_.nodes()).total()),
      r_old_(old_files_.sealed(), old_files_, shape_.tree, shape_.nodes()),
      r_new_(new_files_.replica(), new_files_.trees(), shape_.tree, shape_.nodes()),
      tree_d_(open_tree_d(tree_d_file_, shape_.nodes())) {
  const UpdateStatement& about = info_.statement;
  require(old_files_.info(), "comm_r, by comm_r_old of " + new_files_.info().string(),
          read_sector_info(old_files_.info()).comm_r, about.comm_r_old.to_bytes());
  require(p_aux_new_.path(), "comm_c, by " + p_aux_old_.path().string(), p_aux_new_.nodes()[0], p_aux_old_.nodes()[0]);
  check_p_aux(p_aux_old_, old_files_.tree_r_last(0), r_old_.root(), about.comm_r_old, old_files_.info());
  check_p_aux(p_aux_new_, new_files_.trees().tree_r_last(0), r_new_.root(), about.comm_r_new, new_files_.info());
  require(tree_d_file_.path(), "root, by comm_d_new of " + new_files_.info().string(), tree_d_.root(),
          about.comm_d_new.to_bytes());
}

std::vector<Fr> UpdatedSector::apex_leaves(unsigned partition) const {
  const UpdateShape& shape = info_.statement.shape();
  const TreeRows rows(2, shape.nodes());
  const std::uint64_t first = rows.row_offset(shape.levels_to_apex()) + std::uint64_t{partition} * shape.apex_leaves;
  std::vector<Fr> out;
  for (unsigned i = 0; i < shape.apex_leaves; ++i) out.push_back(tree_d_file_.at(first + i));
  return out;
}

UpdatePartitionProof UpdatedSector::open(unsigned partition, const Executor& exec) const {
  const UpdateShape& shape = info_.statement.shape();
  const std::vector<std::uint64_t> nodes = update_challenges(shape, info_.statement.comm_r_new, partition);
  UpdatePartitionProof out;
  out.comm_c = p_aux_old_.at(0);
  out.apex_leaves = apex_leaves(partition);
  out.challenges.resize(nodes.size());
  exec.parallel_for(nodes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out.challenges[i] = {r_old_.open(nodes[i]),
                           about(tree_d_file_.path().string(), [&] { return tree_d_.open(nodes[i]); }),
                           r_new_.open(nodes[i])};
    }
  });
  return out;
}

void verify_update_partition(const UpdateStatement& statement, unsigned partition, const UpdatePartitionProof& proof,
                             std::string_view name, const Executor& exec) {
  const UpdateShape& shape = statement.shape();
  const std::vector<std::uint64_t> nodes = update_challenges(shape, statement.comm_r_new, partition);
  check_update_counts(shape, proof, name);
  const UpdateChallengeProof& first = proof.challenges.front();
  const auto check_comm_r = [&](const char* what, const Fr& root, const Fr& expected) {
    const Fr got = comm_r_of(proof.comm_c, root);
    if (got == expected) return;
    throw InputError(std::string(name) + ": comm_c and the root of " + what + " hash to " + hex(got) + ", expected " +
                     hex(expected));
  };
  check_comm_r("proof_r_old", first.r_old.root, statement.comm_r_old);
  check_comm_r("proof_r_new", first.r_new.root, statement.comm_r_new);
  const ChallengeVerifier::Shared shared{statement, update_phi(statement.comm_d_new, statement.comm_r_old),
                                         first.r_old.root, first.r_new.root, apex_rows(proof.apex_leaves)};
  exec.parallel_for(nodes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ChallengeVerifier(shared, nodes[i], std::string(name) + ": challenge " + std::to_string(i) + ": ")
          .verify(proof.challenges[i]);
    }
  });
}

}  // namespace proofline::filecoin
