#include "filecoin/graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "filecoin/chacha8.hpp"

namespace proofline::filecoin {
namespace {

Sha256Digest domain_seed(std::string_view tag, const Bytes32& porep_id) {
  return Sha256().update({reinterpret_cast<const std::uint8_t*>(tag.data()), tag.size()}).update(porep_id).finish();
}

std::array<std::uint8_t, 28> derive_drg_seed(const Bytes32& porep_id) {
  const Sha256Digest digest = domain_seed("Filecoin_DRSample", porep_id);
  std::array<std::uint8_t, 28> out;
  std::copy_n(digest.begin(), out.size(), out.begin());
  return out;
}

std::array<std::uint64_t, 4> derive_feistel_keys(const Bytes32& porep_id) {
  const Sha256Digest digest = domain_seed("Filecoin_Feistel", porep_id);
  std::array<std::uint64_t, 4> out{};
  for (std::size_t i = 0; i < digest.size(); ++i) out[i / 8] |= std::uint64_t{digest[i]} << (8 * (i % 8));
  return out;
}

std::uint64_t checked_nodes(std::uint64_t nodes) {
  if (nodes < 2 || nodes > UINT32_MAX) {
    throw InputError("graph: " + std::to_string(nodes) + " nodes; expected 2 to 2^32 - 1");
  }
  return nodes;
}

}  // namespace

StackedGraph::StackedGraph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion version)
    : nodes_(checked_nodes(nodes)),
      version_(version),
      drg_seed_(derive_drg_seed(porep_id)),
      feistel_keys_(derive_feistel_keys(porep_id)),
      permutation_(nodes * kExpanderParents, feistel_keys_) {}

std::array<std::uint32_t, kDrgParents> StackedGraph::drg_parents(std::uint32_t node) const {
  std::array<std::uint32_t, kDrgParents> out{};
  if (node < 2) return out;

  // Each node stands for 5 nodes of a metagraph, whose edges have lengths sampled by bucket: first the
  // power of two, then a length within it.
  constexpr std::uint64_t kSampled = kDrgParents - 1;
  std::array<std::uint8_t, 32> seed;
  std::copy(drg_seed_.begin(), drg_seed_.end(), seed.begin());
  for (std::size_t i = 0; i < 4; ++i) seed[drg_seed_.size() + i] = static_cast<std::uint8_t>(node >> (8 * i));
  const std::array<std::uint64_t, 2 * kSampled> random = chacha8_words<2 * kSampled>(seed);

  const std::uint64_t metagraph_node = std::uint64_t{node} * kSampled;
  const std::uint64_t buckets = static_cast<std::uint64_t>(std::bit_width(metagraph_node - 1));  // ceil(log2)
  const bool predecessor_last = version_ == ApiVersion::kV1_0;
  for (std::size_t i = 0; i < kSampled; ++i) {
    const std::uint64_t bucket = random[2 * i] % buckets + 1;
    const std::uint64_t longest = std::min(metagraph_node, std::uint64_t{1} << bucket);
    const std::uint64_t shortest = std::max(std::uint64_t{2}, longest / 2);
    const std::uint64_t distance = shortest + random[2 * i + 1] % (longest - shortest + 1);
    const auto parent = static_cast<std::uint32_t>((metagraph_node - distance) / kSampled);
    out[predecessor_last ? i : i + 1] = parent == node ? node - 1 : parent;
  }
  out[predecessor_last ? kSampled : 0] = node - 1;
  return out;
}

std::array<std::uint32_t, kExpanderParents> StackedGraph::expander_parents(std::uint32_t node) const {
  std::array<std::uint64_t, kExpanderParents> images;
  for (unsigned i = 0; i < kExpanderParents; ++i) images[i] = std::uint64_t{node} * kExpanderParents + i;
  permutation_.permute(images);
  std::array<std::uint32_t, kExpanderParents> out;
  for (unsigned i = 0; i < kExpanderParents; ++i) out[i] = expander_node(images[i]);
  return out;
}

StackedGraph::Parents StackedGraph::parents(std::uint32_t node) const {
  Parents out;
  fill_parents(node, std::span(&out, 1));
  return out;
}

void StackedGraph::fill_parents(std::uint32_t begin, std::span<Parents> out) const {
  std::vector<std::uint64_t> images(out.size() * kExpanderParents);
  std::iota(images.begin(), images.end(), std::uint64_t{begin} * kExpanderParents);
  permutation_.permute(images);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto drg = drg_parents(static_cast<std::uint32_t>(begin + i));
    const auto expander = std::copy(drg.begin(), drg.end(), out[i].begin());
    for (unsigned p = 0; p < kExpanderParents; ++p) {
      expander[p] = expander_node(images[i * kExpanderParents + p]);
    }
  }
}

std::uint32_t StackedGraph::expander_node(std::uint64_t image) const {
  if (version_ == ApiVersion::kV1_0) image &= UINT32_MAX;
  return static_cast<std::uint32_t>(image / kExpanderParents);
}

}  // namespace proofline::filecoin
