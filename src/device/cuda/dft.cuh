#pragma once
/// Discrete Fourier transforms of eight loose values in a thread's registers: one of 8, two of 4 or four of 2.
#include "device/cuda/fields.cuh"

namespace proofline::cuda {

/// Constants of a direction. With w the primitive 8th root of unity: w^2, (w + w^3) / 2 and (w - w^3) / 2.
struct DftConstants {
  Fr quarter, half_sum, half_difference;
};

__device__ __forceinline__ void dft2(Fr& x, Fr& y) {
  const Fr sum = x.plus_loose(y);
  y = x.minus_loose(y);
  x = sum;
}

/// Natural order in and out; one product.
__device__ __forceinline__ void dft4(Fr (&v)[8], int first, const DftConstants& constants) {
  dft2(v[first], v[first + 2]);
  dft2(v[first + 1], v[first + 3]);
  v[first + 3] = constants.quarter.times_loose(v[first + 3]);
  dft2(v[first], v[first + 1]);
  dft2(v[first + 2], v[first + 3]);
  const Fr second = v[first + 2];
  v[first + 2] = v[first + 1];
  v[first + 1] = second;
}

/// Natural order in and out. Four products in place of the five of radix 2 (Winograd, On Computing the Discrete
/// Fourier Transform, 1978): w x + w^3 y = p + q and w^3 x + w y = p - q, with p of x + y and q of x - y.
__device__ __forceinline__ void dft8(Fr (&v)[8], const DftConstants& constants) {
#pragma unroll
  for (int i = 0; i < 4; ++i) dft2(v[i], v[i + 4]);
  dft2(v[0], v[2]);
  dft2(v[1], v[3]);
  v[3] = constants.quarter.times_loose(v[3]);
  dft2(v[0], v[1]);  // outputs 0 and 4
  dft2(v[2], v[3]);  // outputs 2 and 6
  v[6] = constants.quarter.times_loose(v[6]);
  dft2(v[4], v[6]);
  dft2(v[5], v[7]);
  v[5] = constants.half_sum.times_loose(v[5]);
  v[7] = constants.half_difference.times_loose(v[7]);
  dft2(v[5], v[7]);  // p + q, p - q
  dft2(v[4], v[5]);  // outputs 1 and 5
  dft2(v[6], v[7]);  // outputs 3 and 7
  const Fr out4 = v[1], out2 = v[2], out6 = v[3], out1 = v[4], out5 = v[5], out3 = v[6];
  v[1] = out1;
  v[2] = out2;
  v[3] = out3;
  v[4] = out4;
  v[5] = out5;
  v[6] = out6;
}

/// Transforms of 2^log_radix neighbours each.
__device__ __forceinline__ void dft(Fr (&v)[8], unsigned log_radix, const DftConstants& constants) {
  if (log_radix == 3) {
    dft8(v, constants);
  } else if (log_radix == 2) {
    dft4(v, 0, constants);
    dft4(v, 4, constants);
  } else {
#pragma unroll
    for (int i = 0; i < 8; i += 2) dft2(v[i], v[i + 1]);
  }
}

}  // namespace proofline::cuda
