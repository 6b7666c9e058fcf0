#include "math/fr.hpp"

#include <sys/random.h>

#include <cerrno>
#include <vector>

#include "base/error.hpp"

namespace proofline::math {

Fr Fr::power_of_two(unsigned exponent) {
  Limbs limbs{};
  limbs[exponent / 64] = std::uint64_t{1} << (exponent % 64);
  return from_canonical(limbs);
}

std::optional<Fr> Fr::from_bytes(std::span<const std::uint8_t, kBytes> bytes) {
  blst_scalar scalar;
  blst_scalar_from_lendian(&scalar, bytes.data());
  if (!blst_scalar_fr_check(&scalar)) return std::nullopt;
  Fr out;
  blst_fr_from_scalar(&out.v_, &scalar);
  return out;
}

Fr Fr::random() {
  // Rejection sampling of 255-bit integers: fewer than 1.2 tries on average.
  for (;;) {
    std::array<std::uint8_t, kBytes> bytes;
    std::size_t have = 0;
    while (have < bytes.size()) {
      const ssize_t got = ::getrandom(bytes.data() + have, bytes.size() - have, 0);
      if (got < 0) {
        if (errno == EINTR) continue;
        throw IoError("the operating system's random generator failed (getrandom)");
      }
      have += static_cast<std::size_t>(got);
    }
    bytes[kBytes - 1] &= 0x7f;
    const auto value = from_bytes(bytes);
    explicit_bzero(bytes.data(), bytes.size());
    if (value) return *value;
  }
}

Fr Fr::inverse() const {
  Fr out;
  blst_fr_eucl_inverse(&out.v_, &v_);
  return out;
}

Fr Fr::pow(std::uint64_t exponent) const {
  return pow(Limbs{exponent, 0, 0, 0});
}

Fr Fr::pow(const Limbs& exponent) const {
  Fr out = one();
  for (int bit = 255; bit >= 0; --bit) {
    out = out.square();
    if ((exponent[static_cast<std::size_t>(bit / 64)] >> (bit % 64)) & 1) out *= *this;
  }
  return out;
}

void batch_inverse(std::span<Fr> values, std::span<Fr> scratch) {
  Fr product = Fr::one();
  for (std::size_t i = 0; i < values.size(); ++i) {
    scratch[i] = product;
    if (!values[i].is_zero()) product *= values[i];
  }
  Fr inverse = product.inverse();
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i].is_zero()) continue;
    const Fr value = values[i];
    values[i] = inverse * scratch[i];
    inverse *= value;
  }
}

void batch_inverse(std::span<Fr> values) {
  std::vector<Fr> scratch(values.size());
  batch_inverse(values, scratch);
}

}  // namespace proofline::math
