#pragma once
/// One pass of a transform: 2^bits-point transforms over tiles of columns, and what is fused with it.
///
/// Rows of a tile are the points of a transform, columns are transforms side by side. An index of a row is cut into
/// digits of at most 3 bits, the first digit highest; a step transforms one digit of eight rows in a thread's
/// registers. Decimation in frequency does the digits from the first to the last: a digit of the point's index n
/// becomes one of the frequency k = k1 + (k2 << s1) + (k3 << s1 + s2), whose reversal is where the frequency is left.
/// Decimation in time is its mirror image: frequencies in, points out, from the last digit to the first, products
/// before a step.
///
/// Passes but the one of the lowest rows are `strided`: their column c takes part in a larger transform, in which
/// frequency k has the product with root^(c * k). Its factors: root^(c * (k1 + (k3 << s1 + s2))), `outer` products, 64
/// a column at most; and root^(c * (k2 << s1)), merged with the product that the step of the middle digit has, `inner`.
#include "device/cuda/dft.cuh"

namespace proofline::cuda {

constexpr unsigned kMaxPassBits = 9;

enum class PassKind { kFrequency, kTime, kBoth };

/// Values of a tile, a thread has eight of them, and blocks that share a multiprocessor: 128 registers a thread either
/// way. Measured, not derived.
constexpr unsigned log_tile(PassKind kind) {
  return kind == PassKind::kFrequency ? 10 : 11;
}
constexpr unsigned kMaxLogTile = 11;
constexpr unsigned threads(PassKind kind) {
  return 1U << (log_tile(kind) - 3);
}

struct DevicePowers {
  const Fr* low;
  const Fr* high;
};

struct PassArguments {
  const Fr* in;
  const Fr* factor;  ///< multiplied into what is read, value by value; may be null
  Fr* out;
  const Fr* minus;  ///< subtracted from what is written; may be null
  const Fr* small_roots;
  DevicePowers roots;
  const Fr* direct_roots;  ///< root^(i << direct_shift), when a pass needs no others; or null
  unsigned direct_shift;
  DevicePowers read_scale;     ///< powers of the index (natural, or of the frequency when decimating in time) or null
  DevicePowers middle_scale;   ///< of the frequency, between the halves of a pass that does both
  DevicePowers write_scale;    ///< of the index written, or null
  Fr scale;                    ///< of everything, when scaled
  DftConstants first, second;  ///< of the direction; second: of the decimation in time of a pass that does both
  unsigned log_size, power_bits;
  unsigned bits, low_bits;  ///< rows are 2^low_bits apart
  unsigned log_columns;
  unsigned steps, digit[3];             ///< bits of each digit
  unsigned first_bits, middle_bits[2];  ///< digits of the passes before, for natural order out
  bool inverse, scaled, reversed_rows, natural_out;
};

/// Columns lie apart in two planes of 16 bytes, so that neighbours never meet in a bank; one more row every eight.
struct Tile {
  uint4* low;
  uint4* high;
  __device__ __forceinline__ void put(unsigned place, const Fr& value) const {
    low[place] = make_uint4(value.l[0], value.l[1], value.l[2], value.l[3]);
    high[place] = make_uint4(value.l[4], value.l[5], value.l[6], value.l[7]);
  }
  __device__ __forceinline__ Fr get(unsigned place) const {
    const uint4 a = low[place], b = high[place];
    return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
  }
};

__device__ __forceinline__ Fr read_only(const Fr* at) {
  const uint4 a = __ldg(reinterpret_cast<const uint4*>(at));
  const uint4 b = __ldg(reinterpret_cast<const uint4*>(at) + 1);
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}
__device__ __forceinline__ Fr read_value(const Fr* at) {
  const uint4 a = *reinterpret_cast<const uint4*>(at);
  const uint4 b = *(reinterpret_cast<const uint4*>(at) + 1);
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}
__device__ __forceinline__ void write_value(Fr* at, const Fr& value) {
  *reinterpret_cast<uint4*>(at) = make_uint4(value.l[0], value.l[1], value.l[2], value.l[3]);
  *(reinterpret_cast<uint4*>(at) + 1) = make_uint4(value.l[4], value.l[5], value.l[6], value.l[7]);
}

__device__ __forceinline__ Fr power(const DevicePowers& table, unsigned bits, unsigned exponent) {
  return read_only(table.high + (exponent >> bits)) * read_only(table.low + (exponent & ((1U << bits) - 1)));
}

__device__ __forceinline__ unsigned reverse(unsigned value, unsigned bits) {
  return bits == 0 ? 0 : __brev(value) >> (32 - bits);
}

/// Shared bytes: the tile and the two product tables.
struct PassShape {
  unsigned columns, rows, padded, outer, inner;
  __host__ __device__ static PassShape of(unsigned bits, unsigned log_columns, unsigned steps, const unsigned* digit,
                                          bool strided) {
    PassShape out{};
    out.columns = 1U << log_columns;
    out.rows = 1U << bits;
    out.padded = (out.rows + out.rows / 8 + 1) << log_columns;
    if (strided) {
      out.outer = 1U << ((steps == 1 ? 0 : digit[0]) + digit[steps - 1] + log_columns);
      out.inner = steps == 3 ? 1U << (digit[1] + digit[2] + log_columns) : 0;
    }
    return out;
  }
  __host__ __device__ std::size_t bytes() const { return std::size_t{32} * (padded + outer + inner); }
};

struct Pass {
  const PassArguments& p;
  Tile tile, products;  ///< products: outer ones, then inner ones
  unsigned inner_at;
  unsigned column, thread;  ///< of the column
  std::size_t in_base, out_base;
  unsigned frequency_base;

  __device__ __forceinline__ unsigned place(unsigned row) const {
    return ((row + (row >> 3)) << p.log_columns) + column;
  }
  /// Row of the thread's value i in the step whose digit lies at `at`.
  __device__ __forceinline__ unsigned row(unsigned i, unsigned at, unsigned width) const {
    const unsigned low = thread & ((1U << at) - 1);
    return (thread >> at) << (at + width) | (i & ((1U << width) - 1)) << at | low |
           (i >> width) << (p.bits - (3 - width));
  }
  __device__ __forceinline__ unsigned first_digit_at() const { return p.bits - p.digit[0]; }
  __device__ __forceinline__ unsigned step_at(unsigned step) const {
    return step == 0 ? p.bits - p.digit[0] : step == 1 ? p.bits - p.digit[0] - p.digit[1] : 0;
  }
  /// The frequency that a row stands for.
  __device__ __forceinline__ unsigned frequency(unsigned r) const {
    unsigned out = 0, at = 0;
#pragma unroll
    for (unsigned step = 0; step < 3; ++step) {
      if (step >= p.steps) break;
      out |= ((r >> step_at(step)) & ((1U << p.digit[step]) - 1)) << at;
      at += p.digit[step];
    }
    return out;
  }
  /// root of order 2^order, to the exponent below 2^order
  __device__ __forceinline__ Fr small_root(unsigned exponent, unsigned order, bool inverse) const {
    const unsigned e = exponent << (kMaxPassBits - order);
    return read_only(p.small_roots + ((inverse ? (1U << kMaxPassBits) - e : e) & ((1U << kMaxPassBits) - 1)));
  }
  __device__ __forceinline__ Fr root(unsigned exponent) const {
    const unsigned mask = p.log_size == 32 ? ~0U : (1U << p.log_size) - 1;
    const unsigned e = (p.inverse ? 0U - exponent : exponent) & mask;
    return p.direct_roots != nullptr ? read_only(p.direct_roots + (e >> p.direct_shift))
                                     : power(p.roots, p.power_bits, e);
  }

  /// The shared products of a strided pass; `base` is the index of column 0 in the larger transform.
  __device__ __forceinline__ void make_products(const PassShape& shape, unsigned base) const {
    const unsigned order = p.log_size - p.bits - p.low_bits;  // the larger transform's root is root^(2^order)
    const unsigned first = p.steps == 1 ? 0 : p.digit[0];
    const unsigned last = p.digit[p.steps - 1];
    for (unsigned i = threadIdx.x; i < shape.outer; i += blockDim.x) {
      const unsigned c = base + (i & (shape.columns - 1)), k = i >> p.log_columns;
      const unsigned frequency = (k & ((1U << first) - 1)) + (k >> first << (p.bits - last));
      Fr value = root((c * frequency) << order);
      if (p.scaled) value = value * p.scale;
      products.put(i, value);
    }
    for (unsigned i = threadIdx.x; i < shape.inner; i += blockDim.x) {
      const unsigned c = base + (i & (shape.columns - 1)), k = i >> p.log_columns;
      const unsigned low = k & ((1U << p.digit[2]) - 1), digit = k >> p.digit[2];
      products.put(inner_at + i, root(((c * digit) << (p.digit[0] + order)) +
                                      ((low * digit) << (p.log_size - p.digit[1] - p.digit[2]))));
    }
  }
  /// The products after the step of this digit in frequency, before it in time. One code for all, as a pass of many
  /// products outgrows the instruction cache.
  __device__ __forceinline__ void multiply(Fr (&v)[8], unsigned step, bool strided, bool inverse) const {
    const unsigned at = step_at(step), width = p.digit[step];
    const bool outermost = strided && step + 1 == p.steps;
    const bool shared = outermost || (strided && step == 1);
    const unsigned first = p.steps == 1 ? 0 : p.digit[0];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      if (i == 0 && !outermost) continue;  // a one
      const unsigned r = row(i, at, width);
      Fr factor;
      if (shared) {
        const unsigned head = p.steps == 1 ? 0 : r >> first_digit_at();
        const unsigned k = outermost ? head | (r & ((1U << width) - 1)) << first : r & ((1U << (at + width)) - 1);
        factor = products.get((outermost ? 0 : inner_at) + (k << p.log_columns) + column);
      } else {
        factor = small_root((thread & ((1U << at) - 1)) * (i & ((1U << width) - 1)), at + width, inverse);
      }
      v[i] = factor.times_loose(v[i]);
    }
  }
  __device__ __forceinline__ void put(const Fr (&v)[8], unsigned at, unsigned width) const {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) tile.put(place(row(i, at, width)), v[i]);
  }
  __device__ __forceinline__ void get(Fr (&v)[8], unsigned at, unsigned width) const {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) v[i] = tile.get(place(row(i, at, width)));
  }

  /// From the first step's values to the last's.
  __device__ __forceinline__ void decimate_in_frequency(Fr (&v)[8], bool strided) const {
#pragma unroll 1
    for (unsigned step = 0;; ++step) {
      const bool last = step + 1 == p.steps;
      dft(v, p.digit[step], p.first);
      if (!last || strided) multiply(v, step, strided, p.inverse);
      if (last) break;
      __syncthreads();
      put(v, step_at(step), p.digit[step]);
      __syncthreads();
      get(v, step_at(step + 1), p.digit[step + 1]);
    }
  }
  /// From the last step's values to the first's.
  __device__ __forceinline__ void decimate_in_time(Fr (&v)[8], bool strided, const DftConstants& constants,
                                                   bool inverse) const {
#pragma unroll 1
    for (unsigned step = p.steps - 1;; --step) {
      if (step + 1 != p.steps || strided) multiply(v, step, strided, inverse);
      dft(v, p.digit[step], constants);
      if (step == 0) break;
      __syncthreads();
      put(v, step_at(step), p.digit[step]);
      __syncthreads();
      get(v, step_at(step - 1), p.digit[step - 1]);
    }
  }
  /// Where the tile keeps place `at` of its memory, a column's rows one after another, for the change between the order
  /// of memory and a thread's frequencies.
  __device__ __forceinline__ unsigned staged(unsigned at) const {
    const unsigned c = at >> p.bits, r = at & ((1U << p.bits) - 1);
    return c * ((1U << p.bits) + (1U << p.bits >> 3) + 1) + r + (r >> 3);
  }
  __device__ __forceinline__ unsigned staged_frequency(unsigned r) const {
    return staged(column << p.bits | reverse(frequency(r), p.bits));
  }
  /// Place of the thread's value i in the tile's memory when threads take neighbours.
  __device__ __forceinline__ unsigned linear(unsigned i) const {
    return i * blockDim.x + threadIdx.x;
  }
};

template <PassKind kind>
__global__ void __launch_bounds__(threads(kind), 512 / threads(kind))
    ntt_pass(const __grid_constant__ PassArguments p) {
  extern __shared__ uint4 shared[];
  const bool strided = p.low_bits != 0;
  const PassShape shape = PassShape::of(p.bits, p.log_columns, p.steps, p.digit, strided);
  uint4* const products = shared + 2 * shape.padded;
  Pass pass{p,
            {shared, shared + shape.padded},
            {products, products + shape.outer + shape.inner},
            shape.outer,
            threadIdx.x & (shape.columns - 1),
            threadIdx.x >> p.log_columns,
            0,
            0,
            0};

  const unsigned block = blockIdx.x;
  const unsigned frequency_at = p.log_size - p.bits;
  unsigned in_row_at, out_row_at;
  if (strided) {
    const unsigned groups = p.low_bits - p.log_columns;
    const unsigned first_column = (block & ((1U << groups) - 1)) << p.log_columns;
    const std::size_t outer_index = block >> groups;
    pass.in_base = pass.out_base = (outer_index << (p.bits + p.low_bits)) + first_column + pass.column;
    in_row_at = out_row_at = p.low_bits;
    pass.make_products(shape, first_column);
  } else if (p.natural_out) {
    const unsigned middle = p.middle_bits[0] + p.middle_bits[1];
    const std::size_t m = block & ((1U << middle) - 1);
    const std::size_t k1 = ((std::size_t{block} >> middle) << p.log_columns) + pass.column;
    const std::size_t m_reversed = (m >> p.middle_bits[1]) | (m & ((1U << p.middle_bits[1]) - 1)) << p.middle_bits[0];
    pass.in_base = (k1 << middle | m) << p.bits;
    pass.out_base = k1 + (m_reversed << p.first_bits);
    pass.frequency_base = static_cast<unsigned>(pass.out_base);
    in_row_at = 0;
    out_row_at = frequency_at;
  } else {
    const unsigned prefix = (block << p.log_columns) + pass.column;
    pass.in_base = pass.out_base = std::size_t{prefix} << p.bits;
    pass.frequency_base = reverse(prefix, frequency_at);
    in_row_at = out_row_at = 0;
  }

  const unsigned last_width = p.digit[p.steps - 1];
  Fr v[8];
  if (kind == PassKind::kTime && !strided) {
    // The rows of a thread are far apart in memory: through the tile.
    const std::size_t base = std::size_t{block} << (p.bits + p.log_columns);
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) v[i] = read_value(p.in + base + pass.linear(i));
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) pass.tile.put(pass.staged(pass.linear(i)), v[i]);
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) v[i] = pass.tile.get(pass.staged_frequency(pass.row(i, 0, last_width)));
    if (p.read_scale.low != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned k = pass.frequency(pass.row(i, 0, last_width));
        v[i] = power(p.read_scale, p.power_bits, pass.frequency_base + (k << frequency_at)).times_loose(v[i]);
      }
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      unsigned r;
      if constexpr (kind == PassKind::kTime) {
        r = reverse(pass.frequency(pass.row(i, 0, last_width)), p.bits);
      } else {
        r = pass.row(i, pass.first_digit_at(), p.digit[0]);
      }
      v[i] = read_value(p.in + pass.in_base + (std::size_t{r} << in_row_at));
    }
    if (kind == PassKind::kFrequency && p.factor != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned r = pass.row(i, pass.first_digit_at(), p.digit[0]);
        v[i] = v[i].times_loose(read_value(p.factor + pass.in_base + (std::size_t{r} << in_row_at)));
      }
    }
    if (kind == PassKind::kFrequency && p.read_scale.low != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned r = pass.row(i, pass.first_digit_at(), p.digit[0]);
        v[i] =
            power(p.read_scale, p.power_bits, static_cast<unsigned>(pass.in_base) + (r << in_row_at)).times_loose(v[i]);
      }
    }
  }
  if (strided && (kind == PassKind::kTime || p.steps == 1)) __syncthreads();

  if constexpr (kind != PassKind::kTime) pass.decimate_in_frequency(v, strided);
  if constexpr (kind == PassKind::kBoth) {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned k = pass.frequency(pass.row(i, 0, last_width));
      v[i] = power(p.middle_scale, p.power_bits, pass.frequency_base + (k << frequency_at)).times_loose(v[i]);
    }
  }
  if constexpr (kind == PassKind::kTime) pass.decimate_in_time(v, strided, p.first, p.inverse);
  if constexpr (kind == PassKind::kBoth) pass.decimate_in_time(v, false, p.second, !p.inverse);

  if (p.scaled && !strided) {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) v[i] = p.scale.times_loose(v[i]);
  }
  if constexpr (kind == PassKind::kFrequency) {
    if (p.write_scale.low != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned k = pass.frequency(pass.row(i, 0, last_width));
        v[i] = power(p.write_scale, p.power_bits, pass.frequency_base + (k << frequency_at)).times_loose(v[i]);
      }
    }
    if (!strided && !p.natural_out) {
      __syncthreads();
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) pass.tile.put(pass.staged_frequency(pass.row(i, 0, last_width)), v[i].reduced());
      __syncthreads();
      const std::size_t base = std::size_t{block} << (p.bits + p.log_columns);
#pragma unroll
      for (unsigned i = 0; i < 8; ++i)
        write_value(p.out + base + pass.linear(i), pass.tile.get(pass.staged(pass.linear(i))));
      return;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    unsigned r;
    if constexpr (kind == PassKind::kFrequency) {
      r = pass.frequency(pass.row(i, 0, last_width));
      if (p.reversed_rows) r = reverse(r, p.bits);
    } else {
      r = pass.row(i, pass.first_digit_at(), p.digit[0]);
    }
    const std::size_t at = pass.out_base + (std::size_t{r} << out_row_at);
    if (kind == PassKind::kTime && p.write_scale.low != nullptr)
      v[i] = power(p.write_scale, p.power_bits, static_cast<unsigned>(at)).times_loose(v[i]);
    v[i] = v[i].reduced();
    if (kind == PassKind::kFrequency && p.minus != nullptr) v[i] = v[i] - read_value(p.minus + at);
    write_value(p.out + at, v[i]);
  }
}

}  // namespace proofline::cuda
