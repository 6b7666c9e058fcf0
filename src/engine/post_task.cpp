#include <algorithm>

#include "engine/kind_tasks.hpp"
#include "engine/request_checks.hpp"
#include "filecoin/circuit_id.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/post_bincode.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_vanilla_verify.hpp"
#include "filecoin/registered_proof.hpp"

namespace proofline::engine {
namespace {

using filecoin::PostKind;
using filecoin::PostSector;
using filecoin::PostShape;
using filecoin::PostStatement;

/// Far beyond what a provider can have; keeps sector indices within 64 bits.
constexpr std::uint64_t kMostPartitions = std::uint64_t{1} << 32;

PostKind post_kind_of(const ProofRequest& request) {
  return request.kind == filecoin::CircuitKind::kWinningPost ? PostKind::kWinning : PostKind::kWindow;
}

/// Statement without sectors.
PostStatement statement_of(const ProofRequest& request) {
  const PostKind kind = post_kind_of(request);
  PostStatement out;
  if (const auto* info = registered(request, filecoin::post_proofs(), "registered PoSt proof"); info != nullptr) {
    if (info->kind != kind) {
      throw InputError("registered_proof: " + registered_name(*info) + " is a " + std::string(post_name(info->kind)) +
                       "; the kind of the request is " + std::string(post_name(kind)));
    }
    require_sector_size(request, info->sector_size, "registered_proof " + registered_name(*info));
    out.shape = info->shape();
    out.version = info->api_version;
  } else {
    out.shape = post_shape(kind, sector_shape_of(request));
    out.version = kind == PostKind::kWindow ? filecoin::ApiVersion::kV1_2 : filecoin::ApiVersion::kV1_0;
  }
  filecoin::node_to_fr(request.randomness, "randomness");
  out.randomness = request.randomness;
  if (kind == PostKind::kWindow) {
    if (request.partition_index >= kMostPartitions) {
      throw InputError("partition_index: " + std::to_string(request.partition_index) + "; expected less than " +
                       std::to_string(kMostPartitions));
    }
    out.partitions_before = request.partition_index;
  }
  return out;
}

void require_sector_count(const PostShape& shape, std::size_t sectors) {
  const std::string of = std::string(post_name(shape.kind)) + " of " + std::string(shape.sector->name) + " sectors";
  if (sectors == 0) throw InputError("vanilla_proofs: none; a " + of + " needs one a sector");
  if (sectors <= shape.sectors_per_partition()) return;
  throw InputError("vanilla_proofs: " + std::to_string(sectors) + "; a partition of a " + of + " has at most " +
                   std::to_string(shape.sectors_per_partition()));
}

/// A vanilla proof as it was given.
struct GivenProof {
  Bytes bytes;
  std::string name;
  PostSector sector;
};

/// By ascending sector, the order of the circuit. They are given in any.
std::vector<GivenProof> sorted_proofs(std::vector<Bytes> vanilla) {
  std::vector<GivenProof> out;
  out.reserve(vanilla.size());
  for (std::size_t i = 0; i < vanilla.size(); ++i) {
    const std::string name = vanilla_name(i);
    const PostSector sector = filecoin::parse_post_sector(vanilla[i], name);
    out.push_back({std::move(vanilla[i]), name, sector});
  }
  const auto id = [](const GivenProof& given) { return given.sector.id; };
  std::ranges::stable_sort(out, {}, id);
  const auto twice = std::ranges::adjacent_find(out, {}, id);
  if (twice == out.end()) return out;
  throw InputError(std::next(twice)->name + ": sector " + std::to_string(twice->sector.id) + " is given twice");
}

class PostTask final : public ProofTask {
 public:
  explicit PostTask(ProofRequest request)
      : statement_(statement_of(request)), circuit_id_(filecoin::circuit_id(request.kind, *statement_.shape.sector)) {
    require_sector_count(statement_.shape, request.vanilla.size());
    vanilla_ = sorted_proofs(std::move(request.vanilla));
    for (const GivenProof& given : vanilla_) {
      statement_.sectors.push_back(given.sector);
      vanilla_bytes_ += given.bytes.size();
    }
  }

  const std::string& circuit_id() const override { return circuit_id_; }
  std::size_t partitions() const override { return 1; }
  std::uint64_t bytes() const override {
    return vanilla_bytes_ + vanilla_.size() * (sizeof(PostSector) + sizeof(GivenProof));
  }
  std::uint64_t partition_input_bytes() const override { return parsed_bytes(vanilla_bytes_); }

  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    const std::vector<math::Fr> inputs = public_inputs(partition);
    std::vector<filecoin::PostSectorProof> proofs(vanilla_.size());
    exec.parallel_for(proofs.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        proofs[i] = filecoin::parse_post_proof(vanilla_[i].bytes, statement_.shape, vanilla_[i].name);
      }
    });
    filecoin::verify_post_partition(statement_, partition, proofs, "vanilla_proofs", exec);
    r1cs::CompactWitness out =
        r1cs::generate_witness(filecoin::post_circuit(post_circuit_sectors(statement_.shape, proofs)), exec);
    require_public_inputs(out, inputs, circuit_id_, partition);
    return out;
  }
  std::vector<math::Fr> public_inputs(std::size_t partition) const override {
    return filecoin::post_public_inputs(statement_, partition);
  }

 private:
  PostStatement statement_;
  std::string circuit_id_;
  std::vector<GivenProof> vanilla_;  ///< by ascending sector
  std::uint64_t vanilla_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const ProofTask> make_post_task(ProofRequest request) {
  return std::make_shared<const PostTask>(std::move(request));
}

}  // namespace proofline::engine
