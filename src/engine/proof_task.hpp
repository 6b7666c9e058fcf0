#pragma once
/// A request that has been parsed and found sound: it can make the witness of each of its partitions.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "engine/proof_request.hpp"
#include "r1cs/witness.hpp"

namespace proofline::engine {

/// Const functions may be called from several threads at once.
class ProofTask {
 public:
  ProofTask() = default;
  ProofTask(const ProofTask&) = delete;
  ProofTask& operator=(const ProofTask&) = delete;
  virtual ~ProofTask() = default;

  /// Which circuit and parameters it takes: "porep-32g" (filecoin::circuit_id).
  virtual const std::string& circuit_id() const = 0;
  virtual std::size_t partitions() const = 0;
  /// What this object itself holds.
  virtual std::uint64_t bytes() const = 0;
  /// What witness() takes beside its result: the parsed vanilla proofs of one partition.
  virtual std::uint64_t partition_input_bytes() const = 0;
  /// Parses and checks the partition's vanilla proofs, then makes the witness. Throws InputError naming what is wrong.
  virtual r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const = 0;
  /// What the proof must hold for, from the statement alone, without ONE.
  virtual std::vector<math::Fr> public_inputs(std::size_t partition) const = 0;
};

/// Takes the request over. Throws InputError naming the field at fault.
using TaskMaker = std::function<std::shared_ptr<const ProofTask>(ProofRequest request)>;

/// The tasks of all four kinds.
std::shared_ptr<const ProofTask> make_task(ProofRequest request);

}  // namespace proofline::engine
