#include <algorithm>

#include "engine/kind_tasks.hpp"
#include "engine/request_checks.hpp"
#include "filecoin/circuit_id.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_circuit.hpp"
#include "filecoin/update_inputs.hpp"
#include "filecoin/update_vanilla.hpp"

namespace proofline::engine {
namespace {

using filecoin::UpdateStatement;

std::uint64_t sector_size_of(const ProofRequest& request) {
  if (const auto* info = registered(request, filecoin::update_proofs(), "registered update proof"); info != nullptr) {
    require_sector_size(request, info->sector_size, "registered_proof " + registered_name(*info));
    return info->sector_size;
  }
  const std::uint64_t size = sector_shape_of(request).sector_size;
  try {
    return filecoin::update_shape(size).sector_size;
  } catch (const InputError& error) {
    throw InputError(std::string("sector_size: ") + error.what());
  }
}

UpdateStatement statement_of(const ProofRequest& request) {
  return {sector_size_of(request), filecoin::node_to_fr(request.comm_r_old, "comm_r_old"),
          filecoin::node_to_fr(request.comm_d_new, "comm_d_new"),
          filecoin::node_to_fr(request.comm_r_new, "comm_r_new")};
}

class UpdateTask final : public ProofTask {
 public:
  explicit UpdateTask(ProofRequest request)
      : statement_(statement_of(request)),
        circuit_id_(
            filecoin::circuit_id(filecoin::CircuitKind::kUpdate, filecoin::sector_shape(statement_.sector_size))),
        vanilla_(std::move(request.vanilla)) {
    const filecoin::UpdateShape& shape = statement_.shape();
    if (vanilla_.size() != shape.partitions) {
      throw InputError("vanilla_proofs: " + std::to_string(shape.partitions) +
                       " partition proofs expected for an update of " + std::string(shape.name) + " sectors, got " +
                       std::to_string(vanilla_.size()));
    }
    for (std::size_t i = 0; i < vanilla_.size(); ++i) {
      if (vanilla_[i].empty()) throw InputError(vanilla_name(i) + ": empty; the proof of a partition expected");
      bytes_ += vanilla_[i].size();
      largest_ = std::max<std::uint64_t>(largest_, vanilla_[i].size());
    }
  }

  const std::string& circuit_id() const override { return circuit_id_; }
  std::size_t partitions() const override { return vanilla_.size(); }
  std::uint64_t bytes() const override { return bytes_; }
  std::uint64_t partition_input_bytes() const override { return parsed_bytes(largest_); }

  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    const std::vector<math::Fr> inputs = public_inputs(partition);
    const auto k = static_cast<unsigned>(partition);
    const std::string name = vanilla_name(partition);
    const filecoin::UpdatePartitionProof proof =
        filecoin::parse_update_partition(vanilla_[partition], statement_.shape(), name);
    filecoin::verify_update_partition(statement_, k, proof, name, exec);
    r1cs::CompactWitness out =
        r1cs::generate_witness(filecoin::update_circuit(filecoin::update_partition(statement_, k, proof)), exec);
    require_public_inputs(out, inputs, circuit_id_, partition);
    return out;
  }
  std::vector<math::Fr> public_inputs(std::size_t partition) const override {
    return filecoin::update_public_inputs(statement_, static_cast<unsigned>(partition));
  }

 private:
  UpdateStatement statement_;
  std::string circuit_id_;
  std::vector<Bytes> vanilla_;
  std::uint64_t bytes_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace

std::shared_ptr<const ProofTask> make_update_task(ProofRequest request) {
  return std::make_shared<const UpdateTask>(std::move(request));
}

}  // namespace proofline::engine
