#include "math/curve.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"

namespace proofline::math {
namespace {

[[noreturn]] void fail(std::string_view what, const char* reason) {
  throw InputError(std::string(what) + ": " + reason);
}

const char* reason_of(BLST_ERROR error) {
  switch (error) {
    case BLST_BAD_ENCODING:
      return "not a canonical point encoding (flags or coordinates)";
    case BLST_POINT_NOT_ON_CURVE:
      return "point is not on the curve";
    default:
      return "point cannot be decoded";
  }
}

template <class Affine>
Affine checked(const Affine& point, BLST_ERROR error, PointCheck check, std::string_view what) {
  if (error != BLST_SUCCESS) fail(what, reason_of(error));
  if (check == PointCheck::kSubgroup && !point.is_infinity() && !point.in_subgroup()) {
    fail(what, "point is not in the prime-order subgroup");
  }
  return point;
}

/// Whether the encoding's compression flag is as asked; blst's decoder would accept both forms.
bool has_compression_flag(std::uint8_t first_byte, bool compressed) {
  return ((first_byte & 0x80) != 0) == compressed;
}

/// Blocks of this many points share one inversion.
constexpr std::size_t kAffineBlock = 1024;

template <class Point, class Affine, class Convert>
void to_affine_blocks(std::span<const Point> in, std::span<Affine> out, const Executor& exec, const Convert& convert) {
  exec.parallel_for(in.size(), kAffineBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t start = begin; start < end; start += kAffineBlock) {
      // blst's batch conversion wants no point at infinity: those are left out and written as such.
      std::vector<std::size_t> kept;
      const std::size_t stop = std::min(end, start + kAffineBlock);
      for (std::size_t i = start; i < stop; ++i) {
        if (in[i].is_infinity()) {
          out[i] = Affine{};
        } else {
          kept.push_back(i);
        }
      }
      if (!kept.empty()) convert(in, out, kept);
    }
  });
}

}  // namespace

const G1Affine& G1Affine::generator() {
  static const G1Affine point{*blst_p1_affine_generator()};
  return point;
}

const G2Affine& G2Affine::generator() {
  static const G2Affine point{*blst_p2_affine_generator()};
  return point;
}

G1Affine G1Affine::operator-() const {
  G1Affine out = *this;
  if (!is_infinity()) blst_fp_cneg(&out.p.y, &p.y, true);
  return out;
}

G2Affine G2Affine::operator-() const {
  G2Affine out = *this;
  if (!is_infinity()) blst_fp2_cneg(&out.p.y, &p.y, true);
  return out;
}

std::array<std::uint8_t, G1Affine::kUncompressed> G1Affine::to_uncompressed() const {
  std::array<std::uint8_t, kUncompressed> out;
  blst_p1_affine_serialize(out.data(), &p);
  return out;
}

std::array<std::uint8_t, G1Affine::kCompressed> G1Affine::to_compressed() const {
  std::array<std::uint8_t, kCompressed> out;
  blst_p1_affine_compress(out.data(), &p);
  return out;
}

std::array<std::uint8_t, G2Affine::kUncompressed> G2Affine::to_uncompressed() const {
  std::array<std::uint8_t, kUncompressed> out;
  blst_p2_affine_serialize(out.data(), &p);
  return out;
}

std::array<std::uint8_t, G2Affine::kCompressed> G2Affine::to_compressed() const {
  std::array<std::uint8_t, kCompressed> out;
  blst_p2_affine_compress(out.data(), &p);
  return out;
}

G1Affine G1Affine::from_uncompressed(std::span<const std::uint8_t, kUncompressed> bytes, PointCheck check,
                                     std::string_view what) {
  if (!has_compression_flag(bytes[0], false)) fail(what, "expected an uncompressed point");
  G1Affine out;
  const BLST_ERROR error = blst_p1_deserialize(&out.p, bytes.data());
  return checked(out, error, check, what);
}

G1Affine G1Affine::from_compressed(std::span<const std::uint8_t, kCompressed> bytes, PointCheck check,
                                   std::string_view what) {
  if (!has_compression_flag(bytes[0], true)) fail(what, "expected a compressed point");
  G1Affine out;
  const BLST_ERROR error = blst_p1_uncompress(&out.p, bytes.data());
  return checked(out, error, check, what);
}

G2Affine G2Affine::from_uncompressed(std::span<const std::uint8_t, kUncompressed> bytes, PointCheck check,
                                     std::string_view what) {
  if (!has_compression_flag(bytes[0], false)) fail(what, "expected an uncompressed point");
  G2Affine out;
  const BLST_ERROR error = blst_p2_deserialize(&out.p, bytes.data());
  return checked(out, error, check, what);
}

G2Affine G2Affine::from_compressed(std::span<const std::uint8_t, kCompressed> bytes, PointCheck check,
                                   std::string_view what) {
  if (!has_compression_flag(bytes[0], true)) fail(what, "expected a compressed point");
  G2Affine out;
  const BLST_ERROR error = blst_p2_uncompress(&out.p, bytes.data());
  return checked(out, error, check, what);
}

G1 G1::operator*(const Fr& scalar) const {
  blst_scalar canonical;
  blst_scalar_from_fr(&canonical, &scalar.raw());
  G1 out;
  blst_p1_mult(&out.p, &p, canonical.b, Fr::kBits);
  explicit_bzero(&canonical, sizeof canonical);
  return out;
}

G2 G2::operator*(const Fr& scalar) const {
  blst_scalar canonical;
  blst_scalar_from_fr(&canonical, &scalar.raw());
  G2 out;
  blst_p2_mult(&out.p, &p, canonical.b, Fr::kBits);
  explicit_bzero(&canonical, sizeof canonical);
  return out;
}

void to_affine(std::span<const G1> in, std::span<G1Affine> out, const Executor& exec) {
  to_affine_blocks(in, out, exec, [](auto points, auto results, const std::vector<std::size_t>& kept) {
    std::vector<const blst_p1*> pointers;
    for (const std::size_t i : kept) pointers.push_back(&points[i].p);
    std::vector<blst_p1_affine> converted(kept.size());
    blst_p1s_to_affine(converted.data(), pointers.data(), pointers.size());
    for (std::size_t k = 0; k < kept.size(); ++k) results[kept[k]].p = converted[k];
  });
}

void to_affine(std::span<const G2> in, std::span<G2Affine> out, const Executor& exec) {
  to_affine_blocks(in, out, exec, [](auto points, auto results, const std::vector<std::size_t>& kept) {
    std::vector<const blst_p2*> pointers;
    for (const std::size_t i : kept) pointers.push_back(&points[i].p);
    std::vector<blst_p2_affine> converted(kept.size());
    blst_p2s_to_affine(converted.data(), pointers.data(), pointers.size());
    for (std::size_t k = 0; k < kept.size(); ++k) results[kept[k]].p = converted[k];
  });
}

}  // namespace proofline::math
