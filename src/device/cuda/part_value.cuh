#pragma once
/// The value of one part (A, B or C) of an instance's row on the device, as r1cs::PartEvaluator.
#include "device/cuda/bits.cuh"
#include "device/cuda/circuit_arrays.cuh"

namespace proofline::cuda {

/// A sum of integers times coefficients, below 2^384, of Montgomery forms.
struct WideSum {
  std::uint32_t l[12] = {};

  template <int offset>
  __device__ __forceinline__ void add(const Fr& coefficient, std::uint32_t factor) {
    std::uint64_t carry = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      carry += std::uint64_t{coefficient.l[i]} * factor + l[offset + i];
      l[offset + i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
#pragma unroll
    for (int i = offset + 8; i < 12; ++i) {
      carry += l[i];
      l[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  __device__ __forceinline__ Fr reduced() const {
    Fr low, high = Fr::zero();
#pragma unroll
    for (int i = 0; i < 8; ++i) low.l[i] = l[i];
#pragma unroll
    for (int i = 0; i < 4; ++i) high.l[i] = l[8 + i];
    low = low.reduced().reduced();  // 2^256 is less than three times the modulus
    // 2^256 is the Montgomery factor: the upper limbs count as an integer.
    return high.is_zero() ? low : low + high * Fr::montgomery_square();
  }
};

/// Where a part's terms lie, and of which kind it is.
struct Part {
  std::uint32_t begin, end;
  bool small;
};

/// From its part_begins entry and the next.
__device__ __forceinline__ Part part_between(std::uint32_t begin, std::uint32_t end) {
  return {begin & ~kSmall, end & ~kSmall, (begin & kSmall) != 0};
}

/// The integer that a small part is.
__device__ __forceinline__ int small_sum(const CircuitArrays& circuit, const Part& part, const std::uint32_t* bits) {
  int sum = 0;
  for (std::uint32_t i = part.begin; i < part.end; ++i) {
    const DeviceOp op = circuit.ops[i];
    const int size = static_cast<int>(op.coefficient / 2) + 1;
    if (bit_at(bits, op.operand & kMaxSlot) != 0) sum += op.coefficient % 2 == 0 ? size : -size;
  }
  return sum;
}
__device__ __forceinline__ Fr small_value(const CircuitArrays& circuit, int sum) {
  return circuit.small_values[kLargestSmall + sum];
}

/// The sum of the terms first, first + stride and so on of any part.
__device__ __forceinline__ Fr sum_of_terms(const CircuitArrays& circuit, std::uint32_t first, std::uint32_t end,
                                           std::uint32_t stride, const std::uint32_t* bits, const Fr* fields) {
  std::uint32_t i = first;
  Fr sum = Fr::zero();
  if (i < end && (circuit.ops[i].operand & kFieldOperand) == 0) {
    WideSum wide;
#pragma unroll 1
    for (; i < end; i += stride) {
      const DeviceOp op = circuit.ops[i];
      if ((op.operand & kFieldOperand) != 0) break;
      const std::uint32_t slot = op.operand & kMaxSlot, length = (op.operand >> 25) + 1;
      const Fr coefficient = circuit.coefficients[op.coefficient];
      const std::uint32_t low = bits_from(bits, slot);
      wide.add<0>(coefficient, length < 32 ? low & ((1U << length) - 1) : low);
      if (length > 32) {
        const std::uint32_t high = bits_from(bits, slot + 32);
        wide.add<1>(coefficient, length < 64 ? high & ((1U << (length - 32)) - 1) : high);
      }
    }
    sum = wide.reduced();
  }
#pragma unroll 1
  for (; i < end; i += stride) {
    const DeviceOp op = circuit.ops[i];
    const Fr value = fields[op.operand & kMaxSlot];
    if (op.coefficient == 0) {
      sum = sum + value;
    } else if (op.coefficient == 1) {
      sum = sum - value;
    } else {
      sum = sum + circuit.coefficients[op.coefficient] * value;
    }
  }
  return sum;
}

}  // namespace proofline::cuda
