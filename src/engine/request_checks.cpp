#include "engine/request_checks.hpp"

#include <algorithm>

#include "base/units.hpp"

namespace proofline::engine {

void require_sector_size(const ProofRequest& request, std::uint64_t size, std::string_view source) {
  if (request.sector_size == 0 || request.sector_size == size) return;
  throw InputError("sector_size: " + format_bytes(request.sector_size) + ", but " + std::string(source) +
                   " is of sectors of " + format_bytes(size));
}

const filecoin::SectorShape& sector_shape_of(const ProofRequest& request) {
  if (request.sector_size == 0) {
    throw InputError("sector_size: missing; give it, or the registered_proof, which tells it");
  }
  try {
    return filecoin::sector_shape(request.sector_size);
  } catch (const InputError& error) {
    throw InputError(std::string("sector_size: ") + error.what());
  }
}

std::string vanilla_name(std::size_t i) {
  return "vanilla_proofs[" + std::to_string(i) + "]";
}

void require_public_inputs(const r1cs::CompactWitness& witness, std::span<const math::Fr> inputs,
                           std::string_view circuit_id, std::size_t partition) {
  if (std::ranges::equal(std::span(witness.inputs).subspan(1), inputs)) return;
  throw Error(std::string(circuit_id) + ", partition " + std::to_string(partition) +
              ": the circuit's public inputs are not those of the statement");
}

}  // namespace proofline::engine
