#pragma once
/// Transforms over Fr on the device, of the same domains, roots of unity and coset as math::Domain. Plain C++. All
/// values are in device memory, Fr in Montgomery form.
///
/// A transform of 2^k values is ceil(k / 9) passes over device memory. A pass does up to 9 levels on tiles of 1024 or
/// 2048 values in shared memory, in steps of radix 8 in registers. The product that a pass needs for each value beside
/// its steps is split so that its factors are shared by the tile; all powers come from tables of about the root of the
/// size.
#include <array>
#include <cstddef>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/fr.hpp"

namespace proofline::cuda {

/// base^e = high[e >> low_bits] * low[e & (2^low_bits - 1)]; a constant may be in `high`.
struct PowerTable {
  const math::Fr* low = nullptr;
  const math::Fr* high = nullptr;
};

/// The powers that transforms of one size need, in device memory, and constants. Borrowed from the arena.
struct NttTables {
  static constexpr unsigned kMaxLogSize = 32;
  unsigned log_size = 0;
  unsigned low_bits = 0;
  const math::Fr* small_roots = nullptr;   ///< the 512 powers of the 512th root of unity
  PowerTable roots;                        ///< of the domain's generator
  const math::Fr* direct_roots = nullptr;  ///< all powers of the 2^18th root of unity, or of the domain's if smaller
  PowerTable coset;                        ///< of 7
  PowerTable to_coset;                     ///< of 7, times 1/n
  PowerTable from_coset;                   ///< of 1/7, times 1/n
  PowerTable quotient;                     ///< of 1/7, times 1/n and 1/(7^n - 1)
  std::array<math::Fr, 3> forward_constants, inverse_constants;  ///< DftConstants
  math::Fr inverse_size, quotient_scale;                         ///< 1/n, 1/n * 1/(7^n - 1)
};

/// Device bytes of the tables. Throws InputError when log_size > NttTables::kMaxLogSize.
std::size_t ntt_table_bytes(unsigned log_size);
/// Enqueues their computation; for start-up, as it also sets attributes of the kernels. Takes ntt_table_bytes() from
/// the arena. Throws InputError when that does not fit or log_size is too large, DeviceError when CUDA refuses.
NttTables enqueue_ntt_tables(unsigned log_size, Arena& arena, Stream stream);

/// As the functions of math::Domain with these names.
enum class Transform { kForward, kInverse, kCosetForward, kCosetInverse };

/// Natural order in and out, from `values` into `out`; `values` is overwritten. Both have the domain's size and do not
/// overlap. No more device memory. Throws InputError when sizes do not fit, DeviceError when CUDA refuses; so do the
/// functions below.
void enqueue_ntt(const NttTables& tables, Transform transform, std::span<math::Fr> values, std::span<math::Fr> out,
                 Stream stream);
/// In place, natural order in, bit-reversed order out.
void enqueue_ntt_to_reversed(const NttTables& tables, Transform transform, std::span<math::Fr> values, Stream stream);
/// In place, bit-reversed order in, natural order out.
void enqueue_ntt_from_reversed(const NttTables& tables, Transform transform, std::span<math::Fr> values, Stream stream);

/// The coefficients of (a * b - c) / (X^n - 1) into `c`, natural order, from the values of a, b and c on the domain;
/// coefficient n - 1 is 0 when a * b = c on the domain. Overwrites all three; no more device memory.
/// Cost: 6 transforms, as groth16::quotient().
void enqueue_quotient(const NttTables& tables, std::span<math::Fr> a, std::span<math::Fr> b, std::span<math::Fr> c,
                      Stream stream);

}  // namespace proofline::cuda
