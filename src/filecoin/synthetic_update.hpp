#pragma once
/// Partition proofs of sector updates that never happened, of any size in a second: for tests and measurements. They
/// satisfy the vanilla verifier and the circuit as a real update's do.
///
/// Data and sealed replica are one node each for all sector nodes that share a rho (2 runs up to 32 KiB, else 1024), so
/// that the new replica is, too, and all trees are trees of runs (run_tree.hpp). Unlike a synthetic sector this is a
/// correct encoding, of data and of a replica that nobody stores.
#include <cstdint>
#include <memory>

#include "base/executor.hpp"
#include "filecoin/run_tree.hpp"
#include "filecoin/update_proof.hpp"

namespace proofline::filecoin {

class SyntheticUpdate {
 public:
  /// The same shape and seed give the same update, whatever the number of threads.
  SyntheticUpdate(const UpdateShape& shape, std::uint64_t seed, const Executor& exec);

  const UpdateStatement& statement() const { return statement_; }
  /// Throws InputError when the partition does not exist.
  UpdatePartitionProof open(unsigned partition) const;

 private:
  const UpdateShape& shape_;
  Node comm_c_;
  RunTree r_old_, d_new_;
  UpdateStatement statement_;
  std::unique_ptr<const RunTree> r_new_;
};

}  // namespace proofline::filecoin
