#include "engine/kind_tasks.hpp"
#include "engine/porep_vanilla.hpp"
#include "engine/request_checks.hpp"
#include "filecoin/registered_proof.hpp"

namespace proofline::engine {
namespace {

using filecoin::SealProofInfo;

class PorepTask final : public ProofTask {
 public:
  explicit PorepTask(ProofRequest request)
      : asked_(registered(request, filecoin::seal_proofs(), "registered seal proof")), vanilla_(take_c1(request)) {
    const SealProofInfo& info = filecoin::seal_proof_info(vanilla_.statement().proof);
    if (asked_ != nullptr && asked_ != &info) {
      throw InputError("registered_proof: " + registered_name(*asked_) + ", but the c1 is of " + registered_name(info));
    }
    require_sector_size(request, info.sector_size, "the c1, " + registered_name(info) + ",");
    circuit_id_ = info.circuit_id();
  }

  const std::string& circuit_id() const override { return circuit_id_; }
  std::size_t partitions() const override { return vanilla_.partitions(); }
  std::uint64_t bytes() const override { return vanilla_.bytes(); }
  std::uint64_t partition_input_bytes() const override { return vanilla_.partition_input_bytes(); }

  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    const std::vector<math::Fr> inputs = public_inputs(partition);
    r1cs::CompactWitness out = vanilla_.witness(partition, exec);
    require_public_inputs(out, inputs, circuit_id_, partition);
    return out;
  }
  std::vector<math::Fr> public_inputs(std::size_t partition) const override {
    return filecoin::porep_public_inputs(vanilla_.statement(), static_cast<unsigned>(partition));
  }

 private:
  /// What is wrong without looking into the C1 is found before it is parsed.
  Bytes take_c1(ProofRequest& request) const {
    if (asked_ != nullptr) {
      require_sector_size(request, asked_->sector_size, "registered_proof " + registered_name(*asked_));
    }
    if (request.c1.empty()) throw InputError("c1: missing; a PoRep is proved from its C1");
    return std::move(request.c1);
  }

  const SealProofInfo* asked_;
  PorepVanilla vanilla_;
  std::string circuit_id_;
};

}  // namespace

std::shared_ptr<const ProofTask> make_porep_task(ProofRequest request) {
  return std::make_shared<const PorepTask>(std::move(request));
}

}  // namespace proofline::engine
