#pragma once
/// A C1 that has been taken over, and the witnesses of its partitions: all that a PoRep task needs to know of C1s.
#include <cstdint>
#include <mutex>

#include "base/executor.hpp"
#include "engine/proof_request.hpp"
#include "filecoin/porep_inputs.hpp"
#include "r1cs/witness.hpp"

namespace proofline::engine {

/// Const functions may be called from several threads at once, but not from inside the executor's own tasks.
class PorepVanilla {
 public:
  /// Parses. Throws InputError beginning with "c1".
  explicit PorepVanilla(Bytes c1);

  const filecoin::PorepStatement& statement() const { return statement_; }
  std::size_t partitions() const { return proof_.partitions.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t partition_input_bytes() const { return 0; }

  /// The first call checks the vanilla proofs of all partitions. Throws InputError beginning with "c1" for what
  /// verify_vanilla rejects.
  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const;

 private:
  filecoin::VanillaProof proof_;
  filecoin::PorepStatement statement_;
  std::uint64_t bytes_;
  mutable std::once_flag verified_;
};

}  // namespace proofline::engine
