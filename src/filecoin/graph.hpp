#pragma once
/// The stacked depth-robust graph: 6 DRG parents of a node in its own layer and 8 expander parents in
/// the layer before. Parents are computed, never stored: any node of any sector size in microseconds.
/// Source: Filecoin specification, Stacked DRG (bucket sampling and Chung's expander).
#include <array>
#include <cstdint>
#include <span>

#include "filecoin/feistel.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

class StackedGraph {
 public:
  static constexpr unsigned kParents = kDrgParents + kExpanderParents;

  /// `nodes` of one layer, 2 to 2^32 - 1 (else InputError). V1_0 puts a node's predecessor last among the
  /// DRG parents and cuts the expander permutation's output to 32 bits; later versions do neither.
  StackedGraph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion version);

  std::uint64_t nodes() const { return nodes_; }
  ApiVersion version() const { return version_; }
  /// First 28 bytes of SHA-256("Filecoin_DRSample" || porep_id).
  const std::array<std::uint8_t, 28>& drg_seed() const { return drg_seed_; }
  /// SHA-256("Filecoin_Feistel" || porep_id) as four little-endian words.
  const std::array<std::uint64_t, 4>& feistel_keys() const { return feistel_keys_; }

  /// Precondition for all: node < nodes(). Nodes 0 and 1 have node 0 as every DRG parent.
  std::array<std::uint32_t, kDrgParents> drg_parents(std::uint32_t node) const;
  std::array<std::uint32_t, kExpanderParents> expander_parents(std::uint32_t node) const;
  /// DRG parents, then expander parents.
  using Parents = std::array<std::uint32_t, kParents>;
  Parents parents(std::uint32_t node) const;
  /// parents() of `out.size()` nodes from `begin` on; faster for many than one by one.
  void fill_parents(std::uint32_t begin, std::span<Parents> out) const;

 private:
  std::uint32_t expander_node(std::uint64_t image) const;

  std::uint64_t nodes_;
  ApiVersion version_;
  std::array<std::uint8_t, 28> drg_seed_;
  std::array<std::uint64_t, 4> feistel_keys_;
  FeistelPermutation permutation_;
};

}  // namespace proofline::filecoin
