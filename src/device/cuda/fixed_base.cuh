#pragma once
/// The kernel of fixed_base.hpp. Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/fixed_base.hpp"
#include "device/cuda/normalise.cuh"

namespace proofline::cuda {

constexpr unsigned kMultipleThreads = 128;
/// Blocks of a multiprocessor, which sets the registers of a thread.
template <class F>
constexpr unsigned kMultipleBlocks = sizeof(F) == 48 ? 3 : 2;

/// The words of scalar + sum over w of 2^(16 w + 15): its window w, less 2^15, is digit w of the scalar.
__device__ __forceinline__ Fr shifted_by_half_digits(const Fr& scalar) {
  constexpr std::uint32_t kHalves = 1u << 31 | 1u << 15;
  Fr s = scalar.to_integer();
  s.l[0] = add_cc(s.l[0], kHalves);
#pragma unroll
  for (int j = 1; j < 7; ++j) s.l[j] = addc_cc(s.l[j], kHalves);
  s.l[7] = addc(s.l[7], kHalves);
  return s;
}

template <class F>
__global__ void __launch_bounds__(kMultipleThreads, kMultipleBlocks<F>)
    sum_multiples(const Affine<F>* table, const Fr* scalars, std::uint32_t n, Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * kMultipleThreads + threadIdx.x;
  if (i >= n) return;
  const Fr shifted = shifted_by_half_digits(scalars[i]);
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (unsigned w = 0; w < kFixedBaseWindows; ++w) {
    const std::uint32_t window = shifted.l[w / 2] >> (w % 2 * 16) & 0xffff;
    const int digit = static_cast<int>(window) - static_cast<int>(kFixedBaseDigits);
    if (digit == 0) continue;
    Affine<F> multiple = table[w * kFixedBaseDigits + static_cast<unsigned>(abs(digit)) - 1];
    if (digit < 0) multiple.y = -multiple.y;
    sum.add(multiple);
  }
  out[i] = sum;
}

template <class F>
void multiples_on_device(std::span<const Affine<F>> table, std::span<const Fr> scalars, std::span<Affine<F>> out,
                         Arena arena, Stream stream) {
  if (table.size() != kFixedBaseMultiples) throw InputError("fixed base: a table of another size");
  if (scalars.size() != out.size()) throw InputError("fixed base: as many points as scalars are needed");
  const NormaliseMemory<F> memory(arena);
  for (std::size_t done = 0; done < scalars.size(); done += kNormalised) {
    const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(kNormalised, scalars.size() - done));
    sum_multiples<F><<<blocks_for(n, kMultipleThreads), kMultipleThreads, 0, stream>>>(
        table.data(), scalars.data() + done, n, memory.points);
    check_launch("sum_multiples");
    normalise(memory, n, out.data() + done, stream);
  }
}

/// A span of the same memory as elements of another type of the same size.
template <class To, class From>
std::span<To> device_form(std::span<From> values) {
  static_assert(sizeof(To) == sizeof(From));
  return {reinterpret_cast<To*>(values.data()), values.size()};
}

}  // namespace proofline::cuda
