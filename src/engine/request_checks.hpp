#pragma once
/// What the tasks of all kinds check. Every message begins with the request's field.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "engine/proof_request.hpp"
#include "filecoin/sector_shape.hpp"
#include "math/fr.hpp"
#include "r1cs/witness.hpp"

namespace proofline::engine {

/// The entry of registered_proof in a table of filecoin/registered_proof.hpp; null when the request has none. Throws
/// InputError for a number that is not in the table; `what` names the table: "registered seal proof".
template <class Info>
const Info* registered(const ProofRequest& request, std::span<const Info> table, std::string_view what) {
  if (!request.registered_proof) return nullptr;
  if (*request.registered_proof < table.size()) return &table[*request.registered_proof];
  throw InputError("registered_proof: " + std::to_string(*request.registered_proof) + " is no " + std::string(what) +
                   "; expected 0 to " + std::to_string(table.size() - 1));
}

/// "8 (StackedDrg32GiBV1_1)", for messages.
template <class Info>
std::string registered_name(const Info& info) {
  return std::to_string(static_cast<std::int64_t>(info.proof)) + " (" + std::string(info.json_name) + ")";
}

/// Throws InputError naming both sizes when the request has a sector_size that is not `size`, that of `source`.
void require_sector_size(const ProofRequest& request, std::uint64_t size, std::string_view source);

/// The request's sector_size, where nothing else tells. Throws InputError when it is 0 or no sector has this size.
const filecoin::SectorShape& sector_shape_of(const ProofRequest& request);

/// "vanilla_proofs[3]".
std::string vanilla_name(std::size_t i);

/// Throws Error when the witness is of other public inputs than a verifier derives; `inputs` are without ONE.
void require_public_inputs(const r1cs::CompactWitness& witness, std::span<const math::Fr> inputs,
                           std::string_view circuit_id, std::size_t partition);

/// An upper bound of what bincode vanilla proofs of that many bytes take when parsed: of the lists in them, the
/// shortest (one sibling of a binary tree) grows the most, from 48 bytes to 80.
constexpr std::uint64_t parsed_bytes(std::uint64_t bincode_bytes) {
  return 2 * bincode_bytes;
}

}  // namespace proofline::engine
