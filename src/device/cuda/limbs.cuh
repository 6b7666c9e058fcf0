#pragma once
/// Integers in 32-bit limbs and constants of Montgomery forms, at compile time. For device and host.
#include <cstdint>

#ifndef __CUDACC__
#define __host__
#define __device__
#define __forceinline__ inline
#endif

namespace proofline::cuda {

template <int n>
struct Limbs {
  std::uint32_t l[n];
  __host__ __device__ constexpr std::uint32_t operator[](int i) const { return l[i]; }
};

namespace constants {

/// -1 / modulus modulo 2^32.
__host__ __device__ constexpr std::uint32_t minus_inverse(std::uint32_t modulus) {
  std::uint32_t inverse = 1;
  for (int i = 0; i < 5; ++i) inverse *= 2 - modulus * inverse;
  return 0u - inverse;
}

/// 2^exponent modulo the modulus, by doublings.
template <int n>
__host__ __device__ constexpr Limbs<n> power_of_two(const Limbs<n>& modulus, int exponent) {
  Limbs<n> value{};
  value.l[0] = 1;
  for (int step = 0; step < exponent; ++step) {
    std::uint32_t carry = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint32_t top = value.l[i] >> 31;
      value.l[i] = value.l[i] << 1 | carry;
      carry = top;
    }
    bool below = false;
    for (int i = n - 1; i >= 0; --i) {
      if (value.l[i] != modulus.l[i]) {
        below = value.l[i] < modulus.l[i];
        break;
      }
    }
    if (below) continue;
    std::uint32_t borrow = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t difference = std::uint64_t{value.l[i]} - modulus.l[i] - borrow;
      value.l[i] = static_cast<std::uint32_t>(difference);
      borrow = static_cast<std::uint32_t>(difference >> 63);
    }
  }
  return value;
}

}  // namespace constants

}  // namespace proofline::cuda
