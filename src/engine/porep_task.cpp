#include "engine/kind_tasks.hpp"
#include "engine/request_checks.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "r1cs/builder.hpp"

namespace proofline::engine {
namespace {

using filecoin::SealProofInfo;

constexpr const char* kName = "c1";

class PorepTask final : public ProofTask {
 public:
  explicit PorepTask(ProofRequest request)
      : asked_(registered(request, filecoin::seal_proofs(), "registered seal proof")),
        bytes_(request.bytes()),
        c1_(filecoin::JsonText::owned(take_c1(request)), kName) {
    const SealProofInfo& info = filecoin::seal_proof_info(c1_.header().registered_proof);
    if (asked_ != nullptr && asked_ != &info) {
      throw InputError("registered_proof: " + registered_name(*asked_) + ", but the c1 is of " + registered_name(info));
    }
    require_sector_size(request, info.sector_size, "the c1, " + registered_name(info) + ",");
    circuit_id_ = info.circuit_id();
    for (std::size_t k = 0; k < c1_.partitions(); ++k) c1_.read_partition(k);
  }

  const std::string& circuit_id() const override { return circuit_id_; }
  std::size_t partitions() const override { return c1_.partitions(); }
  std::uint64_t bytes() const override { return bytes_; }
  /// Of a text of n bytes: itself, an index of at most half as many 4-byte places, and at most n bytes of what it says.
  std::uint64_t partition_input_bytes() const override { return 4 * c1_.largest_partition(); }

  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    const std::vector<math::Fr> inputs = public_inputs(partition);
    const std::vector<filecoin::ChallengeProof> challenges = c1_.read_partition(partition);
    filecoin::verify_vanilla_partition(c1_.header(), partition, challenges, kName, exec);
    r1cs::CompactWitness out =
        r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(c1_.header(), challenges)), exec);
    require_public_inputs(out, inputs, circuit_id_, partition);
    return out;
  }
  std::vector<math::Fr> public_inputs(std::size_t partition) const override {
    return filecoin::porep_public_inputs(filecoin::porep_statement(c1_.header()), static_cast<unsigned>(partition));
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
  std::uint64_t bytes_;
  filecoin::C1Reader c1_;
  std::string circuit_id_;
};

}  // namespace

std::shared_ptr<const ProofTask> make_porep_task(ProofRequest request) {
  return std::make_shared<const PorepTask>(std::move(request));
}

}  // namespace proofline::engine
