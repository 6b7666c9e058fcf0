#include "filecoin/post_circuit.hpp"

#include <memory>
#include <string>

#include "base/error.hpp"
#include "filecoin/inclusion_circuit.hpp"
#include "gadgets/number.hpp"
#include "gadgets/poseidon.hpp"
#include "r1cs/recorder.hpp"
#include "r1cs/repeat.hpp"

namespace proofline::filecoin {
namespace {

using gadgets::Number;
using r1cs::Builder;
using r1cs::Scope;

constexpr const char* kSectorScope = "sector";

void synthesize_sector(Builder& cs, const PostCircuitSector& sector) {
  const Number comm_r_last = gadgets::alloc_number(cs, sector.comm_r_last);
  const Number comm_c = gadgets::alloc_number(cs, sector.comm_c);
  const Number comm_r = gadgets::alloc_number(cs, sector.comm_r);
  gadgets::inputize(cs, comm_r);
  {
    const Scope scope(cs, "comm_r");
    const Number pair[] = {comm_c, comm_r_last};
    gadgets::enforce_equal(cs, comm_r, gadgets::poseidon(cs, math::poseidon_constants(2), pair));
  }
  for (std::size_t n = 0; n < sector.inclusion_proofs.size(); ++n) {
    const Scope scope(cs, "challenge", static_cast<std::int64_t>(n));
    const MerkleProof& proof = sector.inclusion_proofs[n];
    const Number leaf = gadgets::alloc_number(cs, proof.leaf);
    enforce_inclusion(cs, "inclusion", gadgets::TreeHash::kPoseidon, proof, comm_r_last, leaf);
  }
}

using SharedPaths = std::shared_ptr<const std::vector<MerkleProof>>;

SharedPaths placeholder_paths(const PostShape& shape) {
  return std::make_shared<const std::vector<MerkleProof>>(shape.challenges_per_circuit_sector,
                                                          placeholder_path(shape.sector->tree, shape.sector->nodes()));
}

PostCircuitSector placeholder_sector(std::span<const MerkleProof> paths) {
  PostCircuitSector out{};
  out.inclusion_proofs = paths;
  return out;
}

}  // namespace

std::vector<PostCircuitSector> post_circuit_sectors(const PostShape& shape, std::span<const PostSectorProof> proofs) {
  const std::string name(post_name(shape.kind));
  if (proofs.empty() || proofs.size() > shape.sectors_per_partition()) {
    throw InputError(name + ": " + std::to_string(proofs.size()) + " sectors in a partition; expected 1 to " +
                     std::to_string(shape.sectors_per_partition()));
  }
  std::vector<PostCircuitSector> out;
  out.reserve(shape.circuit_sectors);
  for (const PostSectorProof& proof : proofs) {
    std::span<const MerkleProof> rest(proof.inclusion_proofs);
    if (rest.size() != shape.challenges_per_sector) {
      throw InputError(name + ": sector " + std::to_string(proof.sector.id) + ": " + std::to_string(rest.size()) +
                       " inclusion proofs; expected " + std::to_string(shape.challenges_per_sector));
    }
    for (; !rest.empty(); rest = rest.subspan(shape.challenges_per_circuit_sector)) {
      out.push_back(
          {proof.sector.comm_r, proof.comm_c, proof.comm_r_last, rest.first(shape.challenges_per_circuit_sector)});
    }
  }
  out.resize(shape.circuit_sectors, PostCircuitSector(out.back()));
  return out;
}

void synthesize_post(Builder& cs, std::span<const PostCircuitSector> sectors) {
  cs.for_each(sectors.size(), [&](Builder& part, std::size_t i) {
    const Scope scope(part, kSectorScope, static_cast<std::int64_t>(i));
    synthesize_sector(part, sectors[i]);
  });
}

r1cs::Circuit post_circuit(std::vector<PostCircuitSector> sectors) {
  return [sectors = std::move(sectors)](Builder& cs) { synthesize_post(cs, sectors); };
}

r1cs::Circuit post_shape_circuit(const PostShape& shape) {
  const SharedPaths paths = placeholder_paths(shape);
  return [paths, count = shape.circuit_sectors](Builder& cs) {
    synthesize_post(cs, std::vector(count, placeholder_sector(*paths)));
  };
}

r1cs::StructuredR1cs record_post(const PostShape& shape) {
  const SharedPaths paths = placeholder_paths(shape);
  const r1cs::StructuredR1cs sector =
      r1cs::record([&](Builder& cs) { synthesize_sector(cs, placeholder_sector(*paths)); });
  return r1cs::repeat(sector, shape.circuit_sectors, kSectorScope);
}

}  // namespace proofline::filecoin
