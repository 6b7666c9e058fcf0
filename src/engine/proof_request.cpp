#include "engine/proof_request.hpp"

#include <algorithm>
#include <string>

#include "base/bincode.hpp"
#include "base/sha256.hpp"

namespace proofline::engine {
namespace {

constexpr std::uint32_t kVersion = 1;

void append(Bytes& out, std::span<const std::uint8_t> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_with_length(Bytes& out, std::span<const std::uint8_t> bytes) {
  append_u64(out, bytes.size());
  append(out, bytes);
}

Bytes read_with_length(BincodeReader& reader, std::string_view what) {
  const auto bytes = reader.bytes(reader.length(1, what), what);
  return {bytes.begin(), bytes.end()};
}

filecoin::Bytes32 read_32(BincodeReader& reader, std::string_view what) {
  filecoin::Bytes32 out;
  std::ranges::copy(reader.bytes(out.size(), what), out.begin());
  return out;
}

filecoin::CircuitKind read_kind(BincodeReader& reader) {
  const std::uint32_t kind = reader.u32("kind");
  if (kind >= filecoin::circuit_kind_names().size()) reader.fail("kind " + std::to_string(kind) + " is not known");
  return static_cast<filecoin::CircuitKind>(kind);
}

std::optional<std::uint64_t> read_optional(BincodeReader& reader, std::string_view what) {
  const std::uint32_t present = reader.u32(what);
  if (present > 1) reader.fail(std::string(what) + ": 0 (absent) or 1 expected, not " + std::to_string(present));
  if (present == 0) return std::nullopt;
  return reader.u64(what);
}

}  // namespace

std::uint64_t ProofRequest::bytes() const {
  std::uint64_t out = c1.size();
  for (const Bytes& proof : vanilla) out += proof.size();
  return out;
}

Bytes to_bytes(const ProofRequest& request) {
  constexpr std::size_t kFixed = 256;  // all but the payload and its lengths
  Bytes out;
  out.reserve(kFixed + request.bytes() + sizeof(std::uint64_t) * request.vanilla.size());
  append_u32(out, kVersion);
  append_u32(out, static_cast<std::uint32_t>(request.kind));
  append_u64(out, request.sector_size);
  append_u32(out, request.registered_proof ? 1 : 0);
  if (request.registered_proof) append_u64(out, *request.registered_proof);
  append_with_length(out, request.c1);
  append_u64(out, request.vanilla.size());
  for (const Bytes& proof : request.vanilla) append_with_length(out, proof);
  append(out, request.randomness);
  append_u64(out, request.partition_index);
  append(out, request.comm_r_old);
  append(out, request.comm_r_new);
  append(out, request.comm_d_new);
  append_u64(out, request.miner_id);
  append_u64(out, request.sector_number);
  return out;
}

ProofRequest proof_request_from_bytes(std::span<const std::uint8_t> bytes) {
  BincodeReader reader(bytes, "stored proof request");
  const std::uint32_t version = reader.u32("version");
  if (version != kVersion) {
    reader.fail("version " + std::to_string(version) + "; this program reads version " + std::to_string(kVersion));
  }
  ProofRequest out;
  out.kind = read_kind(reader);
  out.sector_size = reader.u64("sector size");
  out.registered_proof = read_optional(reader, "registered proof");
  out.c1 = read_with_length(reader, "C1");
  const std::size_t proofs = reader.length(sizeof(std::uint64_t), "vanilla proofs");
  for (std::size_t i = 0; i < proofs; ++i) {
    out.vanilla.push_back(read_with_length(reader, "vanilla proof " + std::to_string(i)));
  }
  out.randomness = read_32(reader, "randomness");
  out.partition_index = reader.u64("partition index");
  out.comm_r_old = read_32(reader, "old comm_r");
  out.comm_r_new = read_32(reader, "new comm_r");
  out.comm_d_new = read_32(reader, "new comm_d");
  out.miner_id = reader.u64("miner id");
  out.sector_number = reader.u64("sector number");
  reader.finish();
  return out;
}

filecoin::Bytes32 request_digest(const ProofRequest& request) {
  return sha256(to_bytes(request));
}

}  // namespace proofline::engine
