#pragma once
/// Elements of Fp as eight digits to base 2^48, each an integer in a double: products by the FP64 pipe, which the
/// 32-bit products of PrimeField leave idle. The Montgomery factor, 2^384, is that of Fp, so that a change of form
/// moves bits and multiplies nothing.
///
/// Digits are signed. "Even" digits, which from() and products leave, are at most 2^47 in size but for the last one. A
/// sum or difference takes eight additions and no carries. Of a product's factors one must have even digits and a value
/// from -p to p, the other may be a sum or difference of two such values; the product lies from -p to p.
///
/// A limb product is split as in Emmart, Zheng and Weems, "Faster modular exponentiation using double precision
/// floating point arithmetic on the GPU" (2018): an FMA onto a number so large that it rounds to multiples of 2^48
/// gives the high half, a second one the rest. Here the high halves of a column go onto one another, so that adding
/// them up is free.
#include "device/cuda/fields.cuh"

namespace proofline::cuda {

namespace doubles {

constexpr int kDigits = 8, kDigitBits = 48;
/// Numbers near it are multiples of 2^48; it leaves 2^99 on both sides.
constexpr double kLarge = 1.5 * 0x1p100;
/// kLarge in units of the next digit.
constexpr double kLargeCarried = 1.5 * 0x1p52;

struct Digits {
  double d[kDigits];
  __host__ __device__ constexpr double operator[](int i) const { return d[i]; }
};

/// The value's digits, from -2^47 to 2^47 but for the last, which takes what is left.
__host__ __device__ constexpr Digits even_digits(const Limbs<12>& value) {
  Digits out{};
  std::int64_t carry = 0;
  for (int i = 0; i < kDigits; ++i) {
    std::int64_t digit = 0;
    for (int bit = 0; bit < kDigitBits; ++bit) {
      const int at = i * kDigitBits + bit;
      digit |= static_cast<std::int64_t>(value[at / 32] >> at % 32 & 1) << bit;
    }
    digit += carry;
    carry = i + 1 < kDigits && digit > std::int64_t{1} << (kDigitBits - 1);
    out.d[i] = static_cast<double>(digit - (carry << kDigitBits));
  }
  return out;
}

/// p - 2^-48 modulo p, which is small: p / 21800.
__host__ __device__ constexpr Limbs<12> minus_shift_factor() {
  constexpr Limbs<12> p = FpParameters::modulus();
  Limbs<12> value{};
  value.l[0] = 1;
  for (int step = 0; step < kDigitBits; ++step) {
    const bool odd = value[0] & 1;
    std::uint64_t carry = 0;
    for (int i = 0; i < 12; ++i) {
      carry += std::uint64_t{value[i]} + (odd ? p[i] : 0);
      value.l[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    for (int i = 0; i < 12; ++i) value.l[i] = value[i] >> 1 | (i + 1 < 12 ? value[i + 1] << 31 : 0);
  }
  std::uint64_t borrow = 0;
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t difference = std::uint64_t{p[i]} - value[i] - borrow;
    value.l[i] = static_cast<std::uint32_t>(difference);
    borrow = difference >> 63;
  }
  return value;
}

/// -1 / p modulo 2^48, from -2^47 to 2^47.
__host__ __device__ constexpr double minus_inverse() {
  constexpr Limbs<12> p = FpParameters::modulus();
  const std::uint64_t low = p[0] | std::uint64_t{p[1]} << 32;
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - low * inverse;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigitBits) - 1;
  const auto digit = static_cast<std::int64_t>((0 - inverse) & kMask);
  return static_cast<double>(digit >> (kDigitBits - 1) != 0 ? digit - (std::int64_t{1} << kDigitBits) : digit);
}

/// A column of a product: `low` in units of its digit, `high`, kLarge more than it stands for, in the same units.
struct Column {
  double high, low;
};

/// Adds a * b. `first` where the column holds nothing yet: then `low` also takes back what the column below will bring
/// with its kLarge.
template <bool first, bool lowest = false>
__device__ __forceinline__ void add_product(Column& column, double a, double b) {
  if constexpr (first) {
    column.high = __fma_rn(a, b, kLarge);
    column.low = __fma_rn(a, b, __dadd_rn(lowest ? kLarge : kLarge - kLargeCarried, -column.high));
  } else {
    const double before = column.high;
    column.high = __fma_rn(a, b, before);
    column.low = __dadd_rn(column.low, __fma_rn(a, b, __dadd_rn(before, -column.high)));
  }
}

/// The column's digit, where all below it are done; the rest goes to `high`.
__device__ __forceinline__ double even_digit(double below, Column& column) {
  const double sum = __fma_rn(below, 0x1p-48, column.low);
  const double high = __dadd_rn(column.high, sum);
  const double digit = __dadd_rn(sum, __dadd_rn(column.high, -high));
  column.high = high;
  return digit;
}

}  // namespace doubles

struct FpDoubles {
  double d[doubles::kDigits];

  /// With even digits.
  __device__ static __forceinline__ FpDoubles from(const Fp& a) {
    // 2^47 more at each digit but the last, so that digits from 0 to 2^48 become even ones when it is taken away.
    std::uint32_t w[12];
#pragma unroll
    for (int i = 0; i < 12; ++i) {
      const std::uint32_t half = i % 3 == 1 ? 0x8000u : i % 3 == 2 && i < 11 ? 0x80000000u : 0;
      w[i] = i == 0 ? add_cc(a.l[i], half) : i < 11 ? addc_cc(a.l[i], half) : addc(a.l[i], half);
    }
    FpDoubles out;
#pragma unroll
    for (int i = 0; i < doubles::kDigits; i += 2) {
      const std::uint32_t* const t = w + i / 2 * 3;
      const double low = __hiloint2double(static_cast<int>(__byte_perm(t[1], 0x4330, 0x5410)), static_cast<int>(t[0]));
      const double high = __hiloint2double(static_cast<int>(__byte_perm(t[2], 0x4330, 0x5432)),
                                           static_cast<int>(__byte_perm(t[1], t[2], 0x5432)));
      out.d[i] = __dadd_rn(low, -(0x1p52 + 0x1p47));
      out.d[i + 1] = __dadd_rn(high, i + 2 < doubles::kDigits ? -(0x1p52 + 0x1p47) : -0x1p52);
    }
    return out;
  }

  /// Of digits up to 2^50 in size and a value from -p to p.
  __device__ __forceinline__ Fp to_fp() const {
    constexpr doubles::Digits p = doubles::even_digits(FpParameters::modulus());
    // The mantissas are p's digits and ours and 2^51. What is too much is the sum of 2^51 at every digit.
    std::uint32_t low[doubles::kDigits], high[doubles::kDigits];
#pragma unroll
    for (int i = 0; i < doubles::kDigits; ++i) {
      const double shifted = __dadd_rn(d[i], 1.5 * 0x1p52 + p[i]);
      low[i] = static_cast<std::uint32_t>(__double2loint(shifted));
      high[i] = static_cast<std::uint32_t>(__double2hiint(shifted)) & 0xfffff;
    }
    Fp out;
#pragma unroll
    for (int i = 0; i < 12; ++i) {
      const int digit = i / 3 * 2;
      const std::uint32_t even = i % 3 == 0 ? low[digit] : i % 3 == 1 ? high[digit] : 0;
      const std::uint32_t odd = i % 3 == 0   ? (i == 0 ? 0 : high[digit - 1] >> 16)
                                : i % 3 == 1 ? low[digit + 1] << 16
                                             : __funnelshift_l(low[digit + 1], high[digit + 1], 16);
      out.l[i] = i == 0 ? add_cc(even, odd) : i < 11 ? addc_cc(even, odd) : addc(even, odd);
    }
#pragma unroll
    for (int i = 0; i < 12; ++i) {
      // 2^51 at bit 48 j: bit 19 of a word for even j, bit 3 for odd j.
      const std::uint32_t offset = (i % 3 == 1 ? 1u << 19 : 0) | (i % 3 == 0 && i > 0 ? 1u << 3 : 0);
      out.l[i] = i == 0 ? sub_cc(out.l[i], offset) : i < 11 ? subc_cc(out.l[i], offset) : subc(out.l[i], offset);
    }
    return out.reduced();
  }

  __device__ __forceinline__ FpDoubles operator+(const FpDoubles& o) const {
    FpDoubles out;
#pragma unroll
    for (int i = 0; i < doubles::kDigits; ++i) out.d[i] = __dadd_rn(d[i], o.d[i]);
    return out;
  }
  __device__ __forceinline__ FpDoubles operator-(const FpDoubles& o) const {
    FpDoubles out;
#pragma unroll
    for (int i = 0; i < doubles::kDigits; ++i) out.d[i] = __dadd_rn(d[i], -o.d[i]);
    return out;
  }

  __device__ __forceinline__ FpDoubles operator*(const FpDoubles& o) const {
    return product<false>(o);
  }
  /// Of even digits.
  __device__ __forceinline__ FpDoubles square() const {
    return product<true>(*this);
  }

 private:
  template <bool kSquare>
  __device__ __forceinline__ FpDoubles product(const FpDoubles& o) const {
    using namespace doubles;
    constexpr Digits minus_shift = even_digits(minus_shift_factor()), p = even_digits(FpParameters::modulus());
    Column columns[2 * kDigits - 1];
    FpDoubles twice;
    if constexpr (kSquare) twice = *this + *this;
    double below = 0;
#pragma unroll
    for (int i = 0; i < kDigits; ++i) {
#pragma unroll
      for (int j = kSquare ? i : 0; j < kDigits; ++j) {
        const double factor = kSquare && j > i ? twice.d[j] : d[j];
        if (i > 0)
          add_product<false>(columns[i + j], factor, o.d[i]);
        else if (j > 0)
          add_product<true>(columns[j], factor, o.d[0]);
        else
          add_product<true, true>(columns[0], factor, o.d[0]);
      }
      if (i + 1 < kDigits) {
        // (value - digit) / 2^48 + digit * 2^-48
        const double digit = i == 0 ? columns[0].low : even_digit(below, columns[i]);
        below = columns[i].high;
#pragma unroll
        for (int j = 0; j < kDigits; ++j) {
          if (j + 1 < kDigits)
            add_product<false>(columns[i + 1 + j], digit, -minus_shift[j]);
          else
            add_product<true>(columns[i + 1 + j], digit, -minus_shift[j]);
        }
      }
    }
    // The last step by p itself, which leaves a value near p. The digit is rounded down and the product that cancels it
    // up, so that nothing of either remains.
    Column& last = columns[kDigits - 1];
    const double sum = __fma_rn(below, 0x1p-48, last.low);
    const double high = __dadd_rd(last.high, sum);
    const double digit = __dadd_rn(sum, __dadd_rn(last.high, -high));
    constexpr double kInverse = minus_inverse();
    const double m = __fma_rn(digit, kInverse, __dadd_rn(kLarge, -__fma_rn(digit, kInverse, kLarge)));
    below = __fma_ru(m, p[0], high);
#pragma unroll
    for (int j = 1; j < kDigits; ++j) add_product<false>(columns[kDigits - 1 + j], m, p[j]);
    FpDoubles out;
#pragma unroll
    for (int i = 0; i + 1 < kDigits; ++i) {
      out.d[i] = even_digit(below, columns[kDigits + i]);
      below = columns[kDigits + i].high;
    }
    out.d[kDigits - 1] = __fma_rn(below, 0x1p-48, -kLargeCarried);
    return out;
  }
};

}  // namespace proofline::cuda
