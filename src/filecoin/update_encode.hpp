#pragma once
/// Encoding new data under a sealed replica, node by node: new replica = sealed + data * rho, where rho is chosen by
/// the highest h bits of the node's index. Source: FIP-0019; rust-fil-proofs storage-proofs-update/src/vanilla.rs.
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/update_shape.hpp"

namespace proofline::filecoin {

/// A sector's factors: the rho of each node, or its inverse.
class UpdateFactors {
 public:
  /// For the shape's h.
  static UpdateFactors rho(const UpdateShape& shape, const math::Fr& phi, const Executor& exec);
  static UpdateFactors inverse_rho(const UpdateShape& shape, const math::Fr& phi, const Executor& exec);

  const math::Fr& of(std::uint64_t node) const { return factors_[node >> shift_]; }

 private:
  UpdateFactors(unsigned shift, std::vector<math::Fr> factors) : shift_(shift), factors_(std::move(factors)) {}
  unsigned shift_;
  std::vector<math::Fr> factors_;  ///< 2^h, at most 4096
};

/// The following work on a part of a sector that begins at node `first`; all spans have one length, and `out` may be
/// one of the others. Each throws InputError naming the node when one is no field element.

/// replica[i] = sealed[i] + data[i] * rho.
void encode_update(std::uint64_t first, std::span<const Node> sealed, std::span<const Node> data,
                   const UpdateFactors& rho, std::span<Node> replica, const Executor& exec);

/// data[i] = (replica[i] - sealed[i]) * inverse rho.
void decode_update(std::uint64_t first, std::span<const Node> sealed, std::span<const Node> replica,
                   const UpdateFactors& inverse_rho, std::span<Node> data, const Executor& exec);

/// sealed[i] = replica[i] - data[i] * rho.
void remove_update(std::uint64_t first, std::span<const Node> replica, std::span<const Node> data,
                   const UpdateFactors& rho, std::span<Node> sealed, const Executor& exec);

}  // namespace proofline::filecoin
