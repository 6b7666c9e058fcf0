#pragma once
/// The value of one part (A, B or C) of a template's row.
#include <array>
#include <cstdint>
#include <span>

#include "r1cs/instance_values.hpp"
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// A sum of integers times coefficients, below 2^384, kept as the Montgomery form's integer.
class WideSum {
  __extension__ typedef unsigned __int128 Wide;

 public:
  void add(const math::Fr& coefficient, std::uint64_t factor) {
    const auto& limbs = coefficient.raw().l;
    Wide t = 0;
    for (unsigned i = 0; i < 4; ++i) {
      t += static_cast<Wide>(limbs[i]) * factor + limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(t);
      t >>= 64;
    }
    t += limbs_[4];
    limbs_[4] = static_cast<std::uint64_t>(t);
    limbs_[5] += static_cast<std::uint64_t>(t >> 64);
  }
  /// add(coefficient, bit) without a product.
  void add_bit(const math::Fr& coefficient, std::uint64_t bit) {
    const std::uint64_t mask = -bit;
    const auto& limbs = coefficient.raw().l;
    Wide t = 0;
    for (unsigned i = 0; i < 4; ++i) {
      t += static_cast<Wide>(limbs[i] & mask) + limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(t);
      t >>= 64;
    }
    t += limbs_[4];
    limbs_[4] = static_cast<std::uint64_t>(t);
    limbs_[5] += static_cast<std::uint64_t>(t >> 64);
  }

  math::Fr reduced() const {
    math::Fr::Limbs low = {limbs_[0], limbs_[1], limbs_[2], limbs_[3]};
    while (!below_modulus(low)) subtract_modulus(low);
    // 2^256 is the Montgomery factor: the upper limbs count as a canonical integer.
    if ((limbs_[4] | limbs_[5]) == 0) return math::Fr::from_montgomery(low);
    return math::Fr::from_montgomery(low) + math::Fr::from_canonical({limbs_[4], limbs_[5], 0, 0});
  }

 private:
  static constexpr math::Fr::Limbs kModulus = {0xffffffff00000001ULL, 0x53bda402fffe5bfeULL, 0x3339d80809a1d805ULL,
                                               0x73eda753299d7d48ULL};
  static bool below_modulus(const math::Fr::Limbs& x) {
    for (std::size_t i = 4; i-- > 0;) {
      if (x[i] != kModulus[i]) return x[i] < kModulus[i];
    }
    return false;
  }
  static void subtract_modulus(math::Fr::Limbs& x) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Wide t = static_cast<Wide>(x[i]) - kModulus[i] - borrow;
      x[i] = static_cast<std::uint64_t>(t);
      borrow = static_cast<std::uint64_t>(t >> 64) & 1;
    }
  }
  std::array<std::uint64_t, 6> limbs_{};
};

/// Bits are never multiplied: a part of a few bits with small coefficients is a small integer, from a table; a run of
/// bits is one product of integer and coefficient; sums are reduced once.
class PartEvaluator {
 public:
  /// Borrows the circuit.
  explicit PartEvaluator(const StructuredR1cs& r1cs) : coefficients_(r1cs.coefficients) {
    for (int i = 1; i <= kLargestSmall; ++i) {
      small_values_[small_place(i)] = math::Fr::from_u64(static_cast<std::uint64_t>(i));
      small_values_[small_place(-i)] = -small_values_[small_place(i)];
    }
  }

  math::Fr operator()(const Template& t, std::size_t row, Matrix matrix, const InstanceValues& values) const {
    const std::span<const Op> part = t.part(row, matrix);
    return t.small.get(3 * row + static_cast<unsigned>(matrix)) ? small_part(part, values) : general_part(part, values);
  }

 private:
  /// Four bits with coefficients up to 8 in size sum up to at most 32.
  static constexpr int kLargestSmall = 32;
  static std::size_t small_place(int value) { return static_cast<std::size_t>(std::ptrdiff_t{kLargestSmall} + value); }

  const math::Fr& small_part(std::span<const Op> part, const InstanceValues& values) const {
    int sum = 0;
    for (const Op& op : part) {
      sum += StructuredR1cs::small_coefficient(op.coefficient) * static_cast<int>(values.bit(op.operand.slot()));
    }
    return small_values_[small_place(sum)];
  }

  math::Fr general_part(std::span<const Op> part, const InstanceValues& values) const {
    WideSum bits;
    auto op = part.begin();
    for (; op != part.end() && !op->operand.is_field(); ++op) {
      if (op->operand.length() == 1) {
        bits.add_bit(coefficients_[op->coefficient], values.bit(op->operand.slot()));
      } else {
        bits.add(coefficients_[op->coefficient], values.bits(op->operand));
      }
    }
    math::Fr sum = op == part.begin() ? math::Fr() : bits.reduced();
    for (; op != part.end(); ++op) {
      const math::Fr& value = values.field(op->operand.slot());
      if (op->coefficient == 0) {
        sum += value;
      } else if (op->coefficient == 1) {
        sum -= value;
      } else {
        sum += coefficients_[op->coefficient] * value;
      }
    }
    return sum;
  }

  std::span<const math::Fr> coefficients_;
  std::array<math::Fr, 2 * kLargestSmall + 1> small_values_;
};

}  // namespace proofline::r1cs
