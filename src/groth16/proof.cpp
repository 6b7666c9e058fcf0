#include "groth16/proof.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace proofline::groth16 {

using math::G1Affine;
using math::G2Affine;
using math::PointCheck;

namespace {

template <class Affine>
Affine read_point(std::span<const std::uint8_t> bytes, const std::string& what) {
  const Affine point =
      Affine::from_compressed(bytes.template first<Affine::kCompressed>(), PointCheck::kSubgroup, what);
  if (point.is_infinity()) throw InputError(what + ": the point at infinity is not allowed in a proof");
  return point;
}

}  // namespace

std::array<std::uint8_t, Proof::kBytes> Proof::to_bytes() const {
  std::array<std::uint8_t, kBytes> out;
  auto at = out.begin();
  at = std::ranges::copy(a.to_compressed(), at).out;
  at = std::ranges::copy(b.to_compressed(), at).out;
  std::ranges::copy(c.to_compressed(), at);
  return out;
}

Proof Proof::from_bytes(std::span<const std::uint8_t, kBytes> bytes, std::string_view name) {
  const std::string prefix(name);
  return {read_point<G1Affine>(bytes, prefix + ": A"), read_point<G2Affine>(bytes.subspan(48), prefix + ": B"),
          read_point<G1Affine>(bytes.subspan(144), prefix + ": C")};
}

std::vector<Proof> proofs_from_bytes(std::span<const std::uint8_t> bytes, std::string_view name) {
  if (bytes.empty() || bytes.size() % Proof::kBytes != 0) {
    throw InputError(std::string(name) + ": a proof has 192 bytes a partition, this has " +
                     std::to_string(bytes.size()));
  }
  std::vector<Proof> proofs;
  for (std::size_t at = 0; at < bytes.size(); at += Proof::kBytes) {
    const std::string part = std::string(name) + ", partition " + std::to_string(at / Proof::kBytes);
    proofs.push_back(Proof::from_bytes(bytes.subspan(at).first<Proof::kBytes>(), part));
  }
  return proofs;
}

std::vector<std::uint8_t> proofs_to_bytes(std::span<const Proof> proofs) {
  std::vector<std::uint8_t> out;
  for (const Proof& proof : proofs) {
    const auto bytes = proof.to_bytes();
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

}  // namespace proofline::groth16
