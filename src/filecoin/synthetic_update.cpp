#include "filecoin/synthetic_update.hpp"

#include <array>
#include <string>

#include "base/sha256.hpp"
#include "filecoin/update_challenges.hpp"
#include "filecoin/update_encode.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

/// SHA-256("Proofline synthetic update: " || what || 0 || le64(seed) || le64(index)), truncated to 254 bits.
Node derived_node(std::uint64_t seed, std::string_view what, std::uint64_t index = 0) {
  std::string text = "Proofline synthetic update: ";
  text.append(what).push_back('\0');
  for (const std::uint64_t number : {seed, index}) {
    for (unsigned byte = 0; byte < 8; ++byte) text.push_back(static_cast<char>(number >> (8 * byte)));
  }
  return truncate_to_field(sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

/// One node for each rho.
std::vector<Node> derived_runs(const UpdateShape& shape, std::uint64_t seed, std::string_view what) {
  std::vector<Node> out;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << shape.h(); ++i) out.push_back(derived_node(seed, what, i));
  return out;
}

Fr comm_r(const Node& comm_c, const Node& root) {
  return node_to_fr(poseidon_parent(std::array{comm_c, root}), "comm_r");
}

}  // namespace

SyntheticUpdate::SyntheticUpdate(const UpdateShape& shape, std::uint64_t seed, const Executor& exec)
    : shape_(shape),
      comm_c_(derived_node(seed, "comm_c")),
      r_old_(TreeHash::kPoseidon, shape.tree, shape.nodes(), derived_runs(shape, seed, "sealed"), exec),
      d_new_(TreeHash::kSha256, {2, 0, 0}, shape.nodes(), derived_runs(shape, seed, "data"), exec),
      statement_{shape.sector_size, comm_r(comm_c_, r_old_.root()), node_to_fr(d_new_.root(), "comm_d_new"), {}} {
  const UpdateFactors rho = UpdateFactors::rho(shape, update_phi(statement_.comm_d_new, statement_.comm_r_old), exec);
  const std::uint64_t run = shape.nodes() >> shape.h();
  std::vector<Node> replica;
  for (std::uint64_t node = 0; node < shape.nodes(); node += run) {
    encode_update(node, std::span(&r_old_.at(0, node), 1), std::span(&d_new_.at(0, node), 1), rho,
                  std::span(&replica.emplace_back(), 1), exec);
  }
  r_new_ = std::make_unique<const RunTree>(TreeHash::kPoseidon, shape.tree, shape.nodes(), std::move(replica), exec);
  statement_.comm_r_new = comm_r(comm_c_, r_new_->root());
}

UpdatePartitionProof SyntheticUpdate::open(unsigned partition) const {
  UpdatePartitionProof out;
  out.comm_c = node_to_fr(comm_c_, "comm_c");
  const std::vector<std::uint64_t> nodes = update_challenges(shape_, statement_.comm_r_new, partition);
  for (std::uint64_t i = 0; i < shape_.apex_leaves; ++i) {
    const std::uint64_t index = std::uint64_t{partition} * shape_.apex_leaves + i;
    out.apex_leaves.push_back(node_to_fr(d_new_.at(shape_.levels_to_apex(), index), "apex leaf"));
  }
  for (const std::uint64_t node : nodes) {
    out.challenges.push_back({r_old_.open(node), d_new_.open(node), r_new_->open(node)});
  }
  return out;
}

}  // namespace proofline::filecoin
