#pragma once
/// The fields of BLS12-381 on the device. All constants come from the moduli.
#include "device/cuda/prime_field.cuh"

namespace proofline::cuda {

struct FrParameters {
  static constexpr int kLimbs = 8;
  __host__ __device__ static constexpr Limbs<8> modulus() {
    return {{0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402, 0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753}};
  }
};

struct FpParameters {
  static constexpr int kLimbs = 12;
  __host__ __device__ static constexpr Limbs<12> modulus() {
    return {{0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe, 0xf6b0f624, 0x6730d2a0, 0xf38512bf, 0x64774b84, 0x434bacd7,
             0x4b1ba7b6, 0x397fe69a, 0x1a0111ea}};
  }
};

using Fr = PrimeField<FrParameters>;
using Fp = PrimeField<FpParameters>;

/// Fp[u] / (u^2 + 1).
struct alignas(16) Fp2 {
  Fp c0, c1;

  __device__ static __forceinline__ Fp2 zero() { return {Fp::zero(), Fp::zero()}; }
  __device__ static __forceinline__ Fp2 one() { return {Fp::one(), Fp::zero()}; }
  __device__ __forceinline__ bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  __device__ __forceinline__ bool operator==(const Fp2& o) const { return c0 == o.c0 && c1 == o.c1; }
  __device__ __forceinline__ Fp2 operator+(const Fp2& o) const { return {c0 + o.c0, c1 + o.c1}; }
  __device__ __forceinline__ Fp2 operator-(const Fp2& o) const { return {c0 - o.c0, c1 - o.c1}; }
  __device__ __forceinline__ Fp2 operator-() const { return {-c0, -c1}; }
  __device__ __forceinline__ Fp2 doubled() const { return {c0.doubled(), c1.doubled()}; }
  __device__ __forceinline__ Fp2 operator*(const Fp2& o) const {
    const Fp low = c0 * o.c0, high = c1 * o.c1;
    return {low - high, (c0 + c1) * (o.c0 + o.c1) - low - high};
  }
  __device__ __forceinline__ Fp2 square() const { return {(c0 + c1) * (c0 - c1), (c0 * c1).doubled()}; }
  __device__ Fp2 inverse() const {
    const Fp norm = (c0.square() + c1.square()).inverse();
    return {c0 * norm, -(c1 * norm)};
  }
};

}  // namespace proofline::cuda
