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

struct Fp2;
/// Apart: three products inlined everywhere would make kernels of tens of thousands of instructions.
static __device__ __noinline__ void multiply_at(const Fp2* a, const Fp2* b, Fp2* out);
static __device__ __noinline__ void square_at(const Fp2* a, Fp2* out);

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
    const Fp2 a = *this, b = o;
    Fp2 out;
    multiply_at(&a, &b, &out);
    return out;
  }
  __device__ __forceinline__ Fp2 square() const {
    const Fp2 a = *this;
    Fp2 out;
    square_at(&a, &out);
    return out;
  }
  __device__ Fp2 inverse() const {
    const Fp norm = (c0.square() + c1.square()).inverse();
    return {c0 * norm, -(c1 * norm)};
  }
};

static __device__ __noinline__ void multiply_at(const Fp2* a, const Fp2* b, Fp2* out) {
  const Fp low = a->c0 * b->c0, high = a->c1 * b->c1;
  const Fp middle = (a->c0 + a->c1) * (b->c0 + b->c1);
  out->c0 = low - high;
  out->c1 = middle - low - high;
}
static __device__ __noinline__ void square_at(const Fp2* a, Fp2* out) {
  const Fp c0 = a->c0, c1 = a->c1;
  out->c0 = (c0 + c1) * (c0 - c1);
  out->c1 = (c0 * c1).doubled();
}

}  // namespace proofline::cuda
