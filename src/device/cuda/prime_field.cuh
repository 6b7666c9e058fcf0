#pragma once
/// A prime field in Montgomery form over 32-bit limbs, factor 2^(32 * limbs): in memory the same as blst's elements.
/// Values are always below the modulus. Products accumulate limb products at even and at odd positions apart, so that
/// each row is one chain of wide multiply-adds.
#include <cstdint>

#include "device/cuda/carry.cuh"
#include "device/cuda/modular_inverse.cuh"

namespace proofline::cuda {

template <class Parameters>
struct alignas(16) PrimeField {
  static constexpr int kLimbs = Parameters::kLimbs;
  std::uint32_t l[kLimbs];

  __device__ static __forceinline__ PrimeField zero() {
    PrimeField out;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = 0;
    return out;
  }
  __device__ static __forceinline__ PrimeField one() {
    constexpr Limbs<kLimbs> r = constants::power_of_two(Parameters::modulus(), 32 * kLimbs);
    PrimeField out;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = r[i];
    return out;
  }
  /// The factor that brings an integer to Montgomery form: 2^(64 * limbs).
  __device__ static __forceinline__ PrimeField montgomery_square() {
    constexpr Limbs<kLimbs> r = constants::power_of_two(Parameters::modulus(), 64 * kLimbs);
    PrimeField out;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = r[i];
    return out;
  }

  __device__ __forceinline__ bool is_zero() const {
    std::uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) any |= l[i];
    return any == 0;
  }
  __device__ __forceinline__ bool operator==(const PrimeField& o) const {
    std::uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) any |= l[i] ^ o.l[i];
    return any == 0;
  }

  __device__ __forceinline__ PrimeField operator+(const PrimeField& o) const {
    PrimeField out;
    out.l[0] = add_cc(l[0], o.l[0]);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(l[i], o.l[i]);
    out.l[kLimbs - 1] = addc(l[kLimbs - 1], o.l[kLimbs - 1]);
    return out.below_modulus();
  }
  __device__ __forceinline__ PrimeField operator-(const PrimeField& o) const {
    constexpr Limbs<kLimbs> p = Parameters::modulus();
    PrimeField out;
    out.l[0] = sub_cc(l[0], o.l[0]);
#pragma unroll
    for (int i = 1; i < kLimbs; ++i) out.l[i] = subc_cc(l[i], o.l[i]);
    const std::uint32_t borrowed = subc(0, 0);
    out.l[0] = add_cc(out.l[0], p[0] & borrowed);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(out.l[i], p[i] & borrowed);
    out.l[kLimbs - 1] = addc(out.l[kLimbs - 1], p[kLimbs - 1] & borrowed);
    return out;
  }
  __device__ __forceinline__ PrimeField operator-() const {
    return zero() - *this;
  }
  __device__ __forceinline__ PrimeField doubled() const {
    return *this + *this;
  }

  __device__ __forceinline__ PrimeField operator*(const PrimeField& o) const {
    return times_loose(o).reduced();
  }

  // Loose values: below twice the modulus, for fields where that fits the limbs (Fr). Sums and products of loose values
  // are loose; a product's left side must be below the modulus, its right side may be anything.

  /// Below the modulus again.
  __device__ __forceinline__ PrimeField reduced() const {
    return below_modulus();
  }
  __device__ __forceinline__ PrimeField plus_loose(const PrimeField& o) const {
    constexpr Limbs<kLimbs> twice = twice_modulus();
    PrimeField sum, out;
    sum.l[0] = add_cc(l[0], o.l[0]);
#pragma unroll
    for (int i = 1; i < kLimbs; ++i) sum.l[i] = addc_cc(l[i], o.l[i]);
    const std::uint32_t carry = addc(0, 0);
    out.l[0] = sub_cc(sum.l[0], twice[0]);
#pragma unroll
    for (int i = 1; i < kLimbs; ++i) out.l[i] = subc_cc(sum.l[i], twice[i]);
    const std::uint32_t borrowed = subc(carry, 0);
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = borrowed ? sum.l[i] : out.l[i];
    return out;
  }
  __device__ __forceinline__ PrimeField minus_loose(const PrimeField& o) const {
    constexpr Limbs<kLimbs> twice = twice_modulus();
    PrimeField out;
    out.l[0] = sub_cc(l[0], o.l[0]);
#pragma unroll
    for (int i = 1; i < kLimbs; ++i) out.l[i] = subc_cc(l[i], o.l[i]);
    const std::uint32_t borrowed = subc(0, 0);
    out.l[0] = add_cc(out.l[0], twice[0] & borrowed);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(out.l[i], twice[i] & borrowed);
    out.l[kLimbs - 1] = addc(out.l[kLimbs - 1], twice[kLimbs - 1] & borrowed);
    return out;
  }
  /// A product that is only below modulus + *this * o / 2^(32 * limbs).
  __device__ __forceinline__ PrimeField times_loose(const PrimeField& o) const {
    std::uint32_t even[kLimbs], odd[kLimbs];
#pragma unroll
    for (int i = 0; i < kLimbs; i += 2) {
      const std::uint64_t low = std::uint64_t{l[i]} * o.l[0], high = std::uint64_t{l[i + 1]} * o.l[0];
      even[i] = static_cast<std::uint32_t>(low);
      even[i + 1] = static_cast<std::uint32_t>(low >> 32);
      odd[i] = static_cast<std::uint32_t>(high);
      odd[i + 1] = static_cast<std::uint32_t>(high >> 32);
    }
    reduce_row(even, odd);
#pragma unroll
    for (int row = 1; row < kLimbs; ++row) {
      shift(even, odd);
      const std::uint32_t b = o.l[row];
      // The flag of shift()'s addition enters here.
#pragma unroll
      for (int i = 0; i < kLimbs; i += 2) {
        odd[i] = madc_lo_cc(l[i + 1], b, odd[i]);
        odd[i + 1] = i + 2 < kLimbs ? madc_hi_cc(l[i + 1], b, odd[i + 1]) : madc_hi(l[i + 1], b, odd[i + 1]);
      }
#pragma unroll
      for (int i = 0; i < kLimbs; i += 2) {
        even[i] = i == 0 ? mad_lo_cc(l[i], b, even[i]) : madc_lo_cc(l[i], b, even[i]);
        even[i + 1] = madc_hi_cc(l[i], b, even[i + 1]);
      }
      odd[kLimbs - 1] = addc(odd[kLimbs - 1], 0);
      reduce_row(even, odd);
    }
    PrimeField out;
    out.l[0] = add_cc(odd[0], even[1]);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(odd[i], even[i + 1]);
    out.l[kLimbs - 1] = addc(odd[kLimbs - 1], 0);
    return out;
  }

  /// Products above the diagonal once, doubled.
  __device__ __forceinline__ PrimeField square() const {
    if constexpr (kLimbs < 12) {
      return *this * *this;
    } else {
      // even[i] at position i, odd[i] at position i + 1.
      std::uint32_t even[2 * kLimbs], odd[2 * kLimbs];
#pragma unroll
      for (int i = 0; i < 2 * kLimbs; ++i) even[i] = odd[i] = 0;
#pragma unroll
      for (int row = 0; row < kLimbs - 1; ++row) {
        int at = 2 * row;
#pragma unroll
        for (int j = row + 1; j < kLimbs; j += 2, at += 2) {
          odd[at] = j == row + 1 ? mad_lo_cc(l[row], l[j], odd[at]) : madc_lo_cc(l[row], l[j], odd[at]);
          odd[at + 1] = madc_hi_cc(l[row], l[j], odd[at + 1]);
        }
        odd[at] = addc(odd[at], 0);
        if (row + 2 >= kLimbs) continue;
        at = 2 * row + 2;
#pragma unroll
        for (int j = row + 2; j < kLimbs; j += 2, at += 2) {
          even[at] = j == row + 2 ? mad_lo_cc(l[row], l[j], even[at]) : madc_lo_cc(l[row], l[j], even[at]);
          even[at + 1] = madc_hi_cc(l[row], l[j], even[at + 1]);
        }
        if (at < 2 * kLimbs) even[at] = addc(even[at], 0);
      }
      even[1] = add_cc(even[1], odd[0]);
#pragma unroll
      for (int i = 2; i < 2 * kLimbs - 1; ++i) even[i] = addc_cc(even[i], odd[i - 1]);
      even[2 * kLimbs - 1] = addc(even[2 * kLimbs - 1], odd[2 * kLimbs - 2]);
      even[0] = add_cc(even[0], even[0]);
#pragma unroll
      for (int i = 1; i < 2 * kLimbs - 1; ++i) even[i] = addc_cc(even[i], even[i]);
      even[2 * kLimbs - 1] = addc(even[2 * kLimbs - 1], even[2 * kLimbs - 1]);
#pragma unroll
      for (int i = 0; i < kLimbs; ++i) {
        even[2 * i] = i == 0 ? mad_lo_cc(l[i], l[i], even[2 * i]) : madc_lo_cc(l[i], l[i], even[2 * i]);
        even[2 * i + 1] =
            i + 1 < kLimbs ? madc_hi_cc(l[i], l[i], even[2 * i + 1]) : madc_hi(l[i], l[i], even[2 * i + 1]);
      }
      return reduce(even);
    }
  }

  /// An integer of twice the limbs, below modulus * 2^(32 * limbs), divided by 2^(32 * limbs).
  __device__ static __forceinline__ PrimeField reduce(const std::uint32_t (&wide)[2 * kLimbs]) {
    std::uint32_t even[kLimbs], odd[kLimbs];
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) {
      even[i] = wide[i];
      odd[i] = 0;
    }
    reduce_row(even, odd);
#pragma unroll
    for (int row = 1; row < kLimbs; ++row) {
      shift(even, odd);
      reduce_row<true>(even, odd);
    }
    PrimeField out;
    out.l[0] = add_cc(odd[0], even[1]);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(odd[i], even[i + 1]);
    out.l[kLimbs - 1] = addc(odd[kLimbs - 1], 0);
    out.l[0] = add_cc(out.l[0], wide[kLimbs]);
#pragma unroll
    for (int i = 1; i < kLimbs - 1; ++i) out.l[i] = addc_cc(out.l[i], wide[kLimbs + i]);
    out.l[kLimbs - 1] = addc(out.l[kLimbs - 1], wide[2 * kLimbs - 1]);
    return out.below_modulus();
  }

  /// The integer behind the Montgomery form.
  __device__ __forceinline__ PrimeField to_integer() const {
    PrimeField unit = zero();
    unit.l[0] = 1;
    return *this * unit;
  }

  /// Zero for zero.
  __device__ __noinline__ PrimeField inverse() const {
    constexpr Limbs<kLimbs> p = Parameters::modulus();
    Limbs<kLimbs> value;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) value.l[i] = l[i];
    value = modular_inverse(value, p);
    PrimeField out;
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = value.l[i];
    // Twice 2^(32 limbs) were divided by: one for the form taken as an integer, one for its inverse.
    return out * montgomery_square() * montgomery_square();
  }

 private:
  __host__ __device__ static constexpr Limbs<kLimbs> twice_modulus() {
    constexpr Limbs<kLimbs> p = Parameters::modulus();
    static_assert(p[kLimbs - 1] >> 31 == 0);
    Limbs<kLimbs> out{};
    for (int i = 0; i < kLimbs; ++i) out.l[i] = p[i] << 1 | (i == 0 ? 0 : p[i - 1] >> 31);
    return out;
  }
  __device__ __forceinline__ PrimeField below_modulus() const {
    constexpr Limbs<kLimbs> p = Parameters::modulus();
    PrimeField out;
    out.l[0] = sub_cc(l[0], p[0]);
#pragma unroll
    for (int i = 1; i < kLimbs; ++i) out.l[i] = subc_cc(l[i], p[i]);
    const std::uint32_t borrowed = subc(0, 0);
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) out.l[i] = borrowed ? l[i] : out.l[i];
    return out;
  }

  /// Adds the multiple of the modulus that clears even[0], and the flag that shift() left at position 1.
  template <bool kCarry = false>
  __device__ static __forceinline__ void reduce_row(std::uint32_t (&even)[kLimbs], std::uint32_t (&odd)[kLimbs]) {
    constexpr Limbs<kLimbs> p = Parameters::modulus();
    int first = 0;
    std::uint32_t m;
    static_assert(!kCarry || p[0] != 1);
    if constexpr (p[0] == 1 && p[1] == 0xffffffff) {
      // m * (2^64 - 2^32 + 1) needs no product.
      // Written so that the assembler does not see a negation: it would move that into the products and make two
      // instructions of each wide multiply-add.
      m = add_cc(~even[0], 1);
      const std::uint32_t low = sub_cc(0, m);
      const std::uint32_t high = subc(m, 0);
      odd[0] = add_cc(odd[0], low);
      odd[1] = addc_cc(odd[1], high);
      first = 2;
    } else {
      m = even[0] * constants::minus_inverse(p[0]);
    }
#pragma unroll
    for (int i = first; i < kLimbs; i += 2) {
      odd[i] = i == 0 && !kCarry ? mad_lo_cc(p[i + 1], m, odd[i]) : madc_lo_cc(p[i + 1], m, odd[i]);
      odd[i + 1] = i + 2 < kLimbs ? madc_hi_cc(p[i + 1], m, odd[i + 1]) : madc_hi(p[i + 1], m, odd[i + 1]);
    }
    if constexpr (p[0] == 1 && p[1] == 0xffffffff) {
      even[0] = add_cc(even[0], m);
      even[1] = addc_cc(even[1], 0);
    }
#pragma unroll
    for (int i = first; i < kLimbs; i += 2) {
      even[i] = i == 0 ? mad_lo_cc(p[i], m, even[i]) : madc_lo_cc(p[i], m, even[i]);
      even[i + 1] = madc_hi_cc(p[i], m, even[i + 1]);
    }
    odd[kLimbs - 1] = addc(odd[kLimbs - 1], 0);
  }

  /// Divides by 2^32: even and odd change roles. What even[1] carries into position 1 is left in the flag.
  __device__ static __forceinline__ void shift(std::uint32_t (&even)[kLimbs], std::uint32_t (&odd)[kLimbs]) {
    const std::uint32_t first = even[1];
    std::uint32_t old[kLimbs];
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) {
      old[i] = even[i];
      even[i] = odd[i];
    }
#pragma unroll
    for (int i = 0; i < kLimbs; ++i) odd[i] = i + 2 < kLimbs ? old[i + 2] : 0;
    even[0] = add_cc(even[0], first);
  }
};

}  // namespace proofline::cuda
