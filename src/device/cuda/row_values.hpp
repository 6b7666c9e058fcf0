#pragma once
/// A.w, B.w and C.w of all rows on the device. Plain C++.
///
/// Floors for a 32 GiB PoRep partition (130 M rows) on one H200: 12.9 GB written at 4.2 TB/s, 3.1 ms; about 8 GB of
/// terms read from L2, 1.5 ms. A thread a row.
#include <cstdint>
#include <span>

#include "device/cuda/instance_values.hpp"

namespace proofline::cuda {

/// What enqueue_row_values() leaves in first_broken when no row is broken.
inline constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

/// Writes the values of all rows, then those of the rows input_i * 0 = 0 that the prover appends, then zeros. All spans
/// are device memory; a, b and c are of one size, no smaller than the numbers of rows and inputs together.
/// `first_broken` becomes the smallest row with a * b != c, kNoRow when there is none.
/// Throws InputError when sizes do not fit, DeviceError when CUDA refuses.
void enqueue_row_values(const DeviceCircuit& circuit, const DeviceValues& values, std::span<math::Fr> a,
                        std::span<math::Fr> b, std::span<math::Fr> c, std::span<std::uint64_t, 1> first_broken,
                        Stream stream);

}  // namespace proofline::cuda
