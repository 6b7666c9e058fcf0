#include "groth16/verifying_key.hpp"

#include "base/byte_reader.hpp"
#include "base/file.hpp"

namespace proofline::groth16 {

using math::G1Affine;
using math::G2Affine;
using math::PointCheck;

namespace {

template <class Affine>
Affine take_point(std::span<const std::uint8_t>& bytes, std::string_view name, const std::string& what) {
  const auto piece = take(bytes, Affine::kUncompressed, name, what).template first<Affine::kUncompressed>();
  const std::string where = std::string(name) + ": " + what;
  const Affine point = Affine::from_uncompressed(piece, PointCheck::kSubgroup, where);
  if (point.is_infinity()) throw InputError(where + ": the point at infinity is not allowed here");
  return point;
}

template <class Affine>
void append_point(std::vector<std::uint8_t>& out, const Affine& point) {
  const auto bytes = point.to_uncompressed();
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

std::vector<std::uint8_t> VerifyingKey::to_bytes() const {
  std::vector<std::uint8_t> out;
  append_point(out, alpha_g1);
  append_point(out, beta_g1);
  append_point(out, beta_g2);
  append_point(out, gamma_g2);
  append_point(out, delta_g1);
  append_point(out, delta_g2);
  append_count(out, ic.size());
  for (const G1Affine& point : ic) append_point(out, point);
  return out;
}

VerifyingKey VerifyingKey::read(std::span<const std::uint8_t>& bytes, std::string_view name) {
  VerifyingKey key;
  key.alpha_g1 = take_point<G1Affine>(bytes, name, "alpha_g1");
  key.beta_g1 = take_point<G1Affine>(bytes, name, "beta_g1");
  key.beta_g2 = take_point<G2Affine>(bytes, name, "beta_g2");
  key.gamma_g2 = take_point<G2Affine>(bytes, name, "gamma_g2");
  key.delta_g1 = take_point<G1Affine>(bytes, name, "delta_g1");
  key.delta_g2 = take_point<G2Affine>(bytes, name, "delta_g2");
  const std::uint32_t count = take_count(bytes, name, "count of ic");
  if (count == 0) throw InputError(std::string(name) + ": ic is empty, expected a point for ONE at least");
  if (bytes.size() / G1Affine::kUncompressed < count) {
    throw InputError(std::string(name) + ": truncated in ic: " + std::to_string(count) + " points expected, " +
                     std::to_string(bytes.size()) + " bytes left");
  }
  key.ic.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i)
    key.ic.push_back(take_point<G1Affine>(bytes, name, "ic[" + std::to_string(i) + "]"));
  return key;
}

VerifyingKey read_verifying_key(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::span<const std::uint8_t> bytes = file.bytes();
  VerifyingKey key = VerifyingKey::read(bytes, path.string());
  if (!bytes.empty()) {
    throw InputError(path.string() + ": " + std::to_string(bytes.size()) + " bytes follow the verifying key");
  }
  return key;
}

void write_verifying_key(const VerifyingKey& key, const std::filesystem::path& path) {
  AtomicFile file(path);
  file.write(key.to_bytes());
  file.commit();
}

}  // namespace proofline::groth16
