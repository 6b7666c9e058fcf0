#pragma once
/// The MSM of one group. Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/bucket_sort.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/msm.hpp"
#include "device/cuda/points.cuh"

namespace proofline::cuda {

constexpr std::uint32_t kNoPoint = 0xffffffff;
constexpr std::uint32_t kNegated = 0x80000000;
constexpr unsigned kThreads = 256;
/// Additions that a thread does with one inversion, and inversions that it does with one.
constexpr unsigned kPairs = 32, kInversions = 32;
/// Longer lists are added by a whole block.
constexpr std::uint32_t kLongList = 256;
constexpr unsigned kListThreads = 64;
constexpr unsigned kListBlocks = 528;
/// Buckets that one thread reduces.
constexpr unsigned kReducedBuckets = 32;

/// Half of each window: added to a scalar once, it makes the digits signed without carries.
struct DigitOffset {
  std::uint32_t l[8];
};

static __global__ void shifted_scalars(const Fr* scalars, std::uint32_t n, DigitOffset offset, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Fr s = scalars[i].to_integer();
  s.l[0] = add_cc(s.l[0], offset.l[0]);
#pragma unroll
  for (int j = 1; j < 7; ++j) s.l[j] = addc_cc(s.l[j], offset.l[j]);
  s.l[7] = addc(s.l[7], offset.l[7]);
#pragma unroll
  for (int j = 0; j < 8; ++j) out[std::size_t{n} * j + i] = s.l[j];
}

/// Keys are buckets; a zero digit gets the key one past the last.
static __global__ void window_digits(const std::uint32_t* shifted, std::uint32_t n, unsigned shift, unsigned width,
                                     std::uint32_t* keys, std::uint32_t* values) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = shift / 32, bit = shift % 32;
  const std::uint32_t low = shifted[std::size_t{n} * word + i];
  const std::uint32_t high = bit + width > 32 ? shifted[std::size_t{n} * (word + 1) + i] : 0;
  const std::uint32_t half = 1u << (width - 1);
  const std::uint32_t digit = __funnelshift_r(low, high, bit) & (2 * half - 1);
  keys[i] = digit == half ? half : digit > half ? digit - half - 1 : half - digit - 1;
  values[i] = digit < half ? i | kNegated : i;
}

static __global__ void bucket_borders(const std::uint32_t* keys, std::uint32_t n, std::uint32_t buckets,
                                      std::uint32_t* begin, std::uint32_t* end) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint32_t key = keys[i];
  if (key >= buckets) return;
  if (i == 0 || keys[i - 1] != key) begin[key] = i;
  if (i + 1 == n || keys[i + 1] != key) end[key] = i + 1;
}

/// Lengths rounded up to 2^rounds, and a zero for the total.
static __global__ void padded_lengths(const std::uint32_t* begin, const std::uint32_t* end, std::uint32_t buckets,
                                      unsigned rounds, std::uint32_t* out) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b > buckets) return;
  const std::uint32_t mask = (1u << rounds) - 1;
  out[b] = b == buckets ? 0 : (end[b] - begin[b] + mask) & ~mask;
}

static __global__ void pad_lists(const std::uint32_t* keys, const std::uint32_t* values, std::uint32_t n,
                                 std::uint32_t buckets, const std::uint32_t* begin, const std::uint32_t* padded,
                                 std::uint32_t* references) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint32_t key = keys[i];
  if (key < buckets) references[padded[key] + (i - begin[key])] = values[i];
}

/// Points by reference, with signs.
template <class F>
struct Referenced {
  const Affine<F>* points;
  const std::uint32_t* references;
  __device__ __forceinline__ Affine<F> operator[](std::uint32_t i) const {
    const std::uint32_t reference = references[i];
    if (reference == kNoPoint) return Affine<F>::infinity();
    Affine<F> p = points[reference & ~kNegated];
    if (reference & kNegated) p.y = -p.y;
    return p;
  }
};

template <class F>
struct Listed {
  const Affine<F>* points;
  __device__ __forceinline__ Affine<F> operator[](std::uint32_t i) const { return points[i]; }
};

enum class PairKind { kGeneral, kDouble, kCancel, kLeft, kRight };

/// What the slope of p + q is divided by; one where there is no slope.
template <class F>
__device__ __forceinline__ PairKind pair_kind(const Affine<F>& p, const Affine<F>& q, F& denominator) {
  denominator = q.x - p.x;
  PairKind kind = PairKind::kGeneral;
  if (q.is_infinity()) {
    kind = PairKind::kLeft;
  } else if (p.is_infinity()) {
    kind = PairKind::kRight;
  } else if (denominator.is_zero()) {
    kind = p.y == q.y ? PairKind::kDouble : PairKind::kCancel;
  }
  if (kind == PairKind::kDouble) {
    denominator = p.y.doubled();
  } else if (kind != PairKind::kGeneral) {
    denominator = F::one();
  }
  return kind;
}

/// A thread's pairs are kThreads apart. Writes the product of the denominators before each pair and of all a thread's.
template <class F, class Source>
__global__ void pair_products(Source source, const std::uint32_t* total, unsigned round, F* before, F* products) {
  const std::uint32_t pairs = *total >> (round + 1);
  const std::uint32_t first = blockIdx.x * (kThreads * kPairs) + threadIdx.x;
  F product = F::one();
#pragma unroll 1
  for (unsigned j = 0; j < kPairs; ++j) {
    const std::uint32_t i = first + j * kThreads;
    if (i >= pairs) break;
    F denominator;
    pair_kind(source[2 * i], source[2 * i + 1], denominator);
    before[i] = product;
    product = product * denominator;
  }
  products[blockIdx.x * kThreads + threadIdx.x] = product;
}

template <class F, class Source>
__global__ void pair_sums(Source source, const std::uint32_t* total, unsigned round, const F* before,
                          const F* inverses, Affine<F>* out) {
  const std::uint32_t pairs = *total >> (round + 1);
  const std::uint32_t first = blockIdx.x * (kThreads * kPairs) + threadIdx.x;
  F inverse = inverses[blockIdx.x * kThreads + threadIdx.x];
#pragma unroll 1
  for (unsigned j = kPairs; j-- > 0;) {
    const std::uint32_t i = first + j * kThreads;
    if (i >= pairs) continue;
    const Affine<F> p = source[2 * i], q = source[2 * i + 1];
    F denominator;
    const PairKind kind = pair_kind(p, q, denominator);
    F slope = inverse * before[i];
    inverse = inverse * denominator;
    F numerator = q.y - p.y;
    if (kind == PairKind::kDouble) {
      const F square = p.x.square();
      numerator = square.doubled() + square;
    }
    slope = slope * numerator;
    Affine<F> sum;
    sum.x = slope.square() - p.x - q.x;
    sum.y = slope * (p.x - sum.x) - p.y;
    if (kind == PairKind::kLeft) sum = p;
    if (kind == PairKind::kRight) sum = q;
    if (kind == PairKind::kCancel) sum = Affine<F>::infinity();
    out[i] = sum;
  }
}

template <class F>
__global__ void inversion_products(const F* values, std::uint32_t n, std::uint32_t threads, F* before, F* products) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  F product = F::one();
#pragma unroll 1
  for (std::uint32_t i = t; i < n; i += threads) {
    before[i] = product;
    product = product * values[i];
  }
  products[t] = product;
}

template <class F>
__global__ void single_inversions(F* values, std::uint32_t n) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) values[t] = values[t].inverse();
}

template <class F>
__global__ void spread_inverses(F* values, std::uint32_t n, std::uint32_t threads, const F* before, const F* inverses) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads || t >= n) return;
  F inverse = inverses[t];
#pragma unroll 1
  for (std::uint32_t i = t + (n - 1 - t) / threads * threads;; i -= threads) {
    const F value = values[i];
    values[i] = inverse * before[i];
    inverse = inverse * value;
    if (i < threads) break;
  }
}

/// Elements of scratch that invert() needs.
inline std::size_t inversion_scratch(std::size_t n) { return n + n / 8 + 4096; }

/// Replaces n nonzero values by their inverses.
template <class F>
void invert(F* values, std::uint32_t n, F* scratch, Stream stream) {
  if (n <= 4096) {
    single_inversions<<<blocks_for(n, 32), 32, 0, stream>>>(values, n);
    return check_launch("single_inversions");
  }
  const std::uint32_t threads = (n + kInversions - 1) / kInversions;
  F* const before = scratch;
  F* const products = scratch + n;
  inversion_products<<<blocks_for(threads, 128), 128, 0, stream>>>(values, n, threads, before, products);
  check_launch("inversion_products");
  invert(products, threads, products + threads, stream);
  spread_inverses<<<blocks_for(threads, 128), 128, 0, stream>>>(values, n, threads, before, products);
  check_launch("spread_inverses");
}

/// A thread a bucket; long lists are left to add_long_lists().
template <class F, class Source>
__global__ void add_lists(Source source, const std::uint32_t* begin, const std::uint32_t* end,
                          const std::uint32_t* padded, std::uint32_t buckets, unsigned rounds, Xyzz<F>* sums,
                          std::uint32_t* long_lists) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= buckets) return;
  const std::uint32_t length = (end[b] - begin[b] + (1u << rounds) - 1) >> rounds;
  if (length > kLongList) {
    long_lists[1 + atomicAdd(long_lists, 1u)] = b;
    return;
  }
  const std::uint32_t first = padded[b] >> rounds;
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = first; i < first + length; ++i) sum.add(source[i]);
  sums[b] = sum;
}

/// The sum over a block's threads, in thread 0.
template <class F>
__device__ void add_over_block(Xyzz<F>& sum, Xyzz<F>* shared) {
  shared[threadIdx.x] = sum;
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      sum.add(shared[threadIdx.x + half]);
      shared[threadIdx.x] = sum;
    }
  }
  __syncthreads();
}

template <class F, class Source>
__global__ void add_long_lists(Source source, const std::uint32_t* begin, const std::uint32_t* end,
                               const std::uint32_t* padded, unsigned rounds, Xyzz<F>* sums,
                               const std::uint32_t* long_lists) {
  __shared__ Xyzz<F> shared[kListThreads];
  for (std::uint32_t item = blockIdx.x; item < long_lists[0]; item += gridDim.x) {
    const std::uint32_t b = long_lists[1 + item];
    const std::uint32_t first = padded[b] >> rounds;
    const std::uint32_t length = (end[b] - begin[b] + (1u << rounds) - 1) >> rounds;
    Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; i < length; i += blockDim.x) sum.add(source[first + i]);
    add_over_block(sum, shared);
    if (threadIdx.x == 0) sums[b] = sum;
  }
}

struct WindowBuckets {
  std::uint32_t begin[MsmPlan::kMaxWindows + 1];
};

/// Chunks of kReducedBuckets buckets of one window (blockIdx.y): the sum of (index + 1) * bucket.
template <class F>
__global__ void reduce_buckets(const Xyzz<F>* buckets, WindowBuckets windows, std::uint32_t chunks, Xyzz<F>* out) {
  const std::uint32_t chunk = blockIdx.x * blockDim.x + threadIdx.x;
  if (chunk >= chunks) return;
  const std::uint32_t begin = windows.begin[blockIdx.y];
  const std::uint32_t count = windows.begin[blockIdx.y + 1] - begin;
  const std::uint32_t first = chunk * kReducedBuckets;
  Xyzz<F> running = Xyzz<F>::infinity(), sum = Xyzz<F>::infinity();
  if (first < count) {
    const std::uint32_t last = min(first + kReducedBuckets, count);
#pragma unroll 1
    for (std::uint32_t i = last; i-- > first;) {
#pragma unroll 1
      for (int half = 0; half < 2; ++half) {
        Xyzz<F>& to = half ? sum : running;
        to.add(half ? running : buckets[begin + i]);
      }
    }
    Xyzz<F> multiple = Xyzz<F>::infinity();
#pragma unroll 1
    for (int bit = 31 - __clz(first | 1); bit >= 0; --bit) {
      multiple.double_self();
      if (first >> bit & 1) multiple.add(running);
    }
    sum.add(multiple);
  }
  out[std::size_t{blockIdx.y} * chunks + chunk] = sum;
}

/// A block adds its share (gridDim.x shares) of the window blockIdx.y's chunks.
template <class F>
__global__ void add_chunks(const Xyzz<F>* in, std::uint32_t count, Xyzz<F>* out) {
  __shared__ Xyzz<F> shared[kListThreads];
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    sum.add(in[std::size_t{blockIdx.y} * count + i]);
  }
  add_over_block(sum, shared);
  if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}

constexpr unsigned kChunkBlocks = 32;

/// All device memory of one sum, in the order in which it is taken.
template <class F>
struct MsmMemory {
  std::size_t bytes = 0;
  std::uint32_t *shifted, *begin, *end, *padded, *references, *long_lists;
  Pairs pairs;
  std::span<std::byte> scratch;
  F *before, *products, *inversion;
  Affine<F>* sums[2];
  Xyzz<F>*buckets, *chunks, *partial, *windows;

  /// Without an arena, only counts.
  MsmMemory(const MsmPlan& plan, Arena* arena) : arena_(arena) {
    const std::size_t n = plan.points, w = plan.windows;
    const std::size_t most = std::size_t{1} << (plan.width[0] - 1);
    const std::size_t slots = n + most * ((std::size_t{1} << plan.rounds) - 1);
    const std::size_t half = plan.rounds == 0 ? 0 : slots / 2 + 1;
    const std::size_t threads = (half + kThreads * kPairs - 1) / (kThreads * kPairs) * kThreads;
    shifted = take<std::uint32_t>(8 * n).data();
    for (int i = 0; i < 2; ++i) {
      pairs.keys[i] = take<std::uint32_t>(n);
      pairs.values[i] = take<std::uint32_t>(n);
    }
    begin = take<std::uint32_t>(most).data();
    end = take<std::uint32_t>(most).data();
    padded = take<std::uint32_t>(most + 1).data();
    references = take<std::uint32_t>(slots).data();
    long_lists = take<std::uint32_t>(1 + slots / kLongList + 1).data();
    scratch = take<std::byte>(sort_scratch_bytes(std::max(n, most + 1)));
    before = take<F>(half).data();
    products = take<F>(threads).data();
    inversion = take<F>(inversion_scratch(threads)).data();
    sums[0] = take<Affine<F>>(half).data();
    sums[1] = take<Affine<F>>(half / 2 + 1).data();
    buckets = take<Xyzz<F>>(plan.bucket_begin[w]).data();
    chunks = take<Xyzz<F>>(w * ((most + kReducedBuckets - 1) / kReducedBuckets)).data();
    partial = take<Xyzz<F>>(w * kChunkBlocks).data();
    windows = take<Xyzz<F>>(w).data();
  }

 private:
  template <class T>
  std::span<T> take(std::size_t count) {
    bytes += Arena::rounded(count * sizeof(T));
    return arena_ ? arena_->take<T>(count) : std::span<T>();
  }
  Arena* arena_;
};

template <class F>
void add_window(const MsmPlan& plan, unsigned w, const Affine<F>* points, MsmMemory<F>& m, Stream stream) {
  const auto n = static_cast<std::uint32_t>(plan.points);
  const auto buckets = static_cast<std::uint32_t>(plan.bucket_begin[w + 1] - plan.bucket_begin[w]);
  const unsigned blocks = blocks_for(n, kThreads), bucket_blocks = blocks_for(buckets + 1, kThreads);
  const std::size_t slots = n + std::size_t{buckets} * ((1u << plan.rounds) - 1);
  m.pairs.current = 0;
  window_digits<<<blocks, kThreads, 0, stream>>>(m.shifted, n, plan.shift[w], plan.width[w], m.pairs.keys[0].data(),
                                                 m.pairs.values[0].data());
  check_launch("window_digits");
  sort_pairs(m.pairs, plan.width[w], m.scratch, stream);
  const std::uint32_t* const keys = m.pairs.keys[m.pairs.current].data();
  const std::uint32_t* const values = m.pairs.values[m.pairs.current].data();
  check(cudaMemsetAsync(m.begin, 0, buckets * 4, stream), "clearing bucket borders");
  check(cudaMemsetAsync(m.end, 0, buckets * 4, stream), "clearing bucket borders");
  check(cudaMemsetAsync(m.references, 0xff, slots * 4, stream), "clearing lists");
  check(cudaMemsetAsync(m.long_lists, 0, 4, stream), "clearing long lists");
  bucket_borders<<<blocks, kThreads, 0, stream>>>(keys, n, buckets, m.begin, m.end);
  check_launch("bucket_borders");
  padded_lengths<<<bucket_blocks, kThreads, 0, stream>>>(m.begin, m.end, buckets, plan.rounds, m.padded);
  check_launch("padded_lengths");
  exclusive_sum({m.padded, buckets + 1}, m.scratch, stream);
  pad_lists<<<blocks, kThreads, 0, stream>>>(keys, values, n, buckets, m.begin, m.padded, m.references);
  check_launch("pad_lists");

  const std::uint32_t* const total = m.padded + buckets;
  const auto round = [&](auto source, unsigned r, Affine<F>* out) {
    const unsigned pair_blocks = blocks_for(slots >> (r + 1), kThreads * kPairs);
    pair_products<F><<<pair_blocks, kThreads, 0, stream>>>(source, total, r, m.before, m.products);
    check_launch("pair_products");
    invert(m.products, pair_blocks * kThreads, m.inversion, stream);
    pair_sums<F><<<pair_blocks, kThreads, 0, stream>>>(source, total, r, m.before, m.products, out);
    check_launch("pair_sums");
  };
  const auto finish = [&](auto source) {
    Xyzz<F>* const sums = m.buckets + plan.bucket_begin[w];
    add_lists<F><<<blocks_for(buckets, 128), 128, 0, stream>>>(source, m.begin, m.end, m.padded, buckets, plan.rounds,
                                                               sums, m.long_lists);
    check_launch("add_lists");
    add_long_lists<F><<<kListBlocks, kListThreads, 0, stream>>>(source, m.begin, m.end, m.padded, plan.rounds, sums,
                                                                m.long_lists);
    check_launch("add_long_lists");
  };
  const Referenced<F> first{points, m.references};
  if (plan.rounds == 0) return finish(first);
  round(first, 0, m.sums[0]);
  for (unsigned r = 1; r < plan.rounds; ++r) round(Listed<F>{m.sums[(r - 1) % 2]}, r, m.sums[r % 2]);
  finish(Listed<F>{m.sums[(plan.rounds - 1) % 2]});
}

template <class F>
void add_all(const MsmPlan& plan, const Affine<F>* points, const Fr* scalars, Arena arena,
             std::span<std::byte> window_sums, Stream stream) {
  if (window_sums.size() < plan.windows * sizeof(Xyzz<F>)) throw InputError("msm: too little room for the window sums");
  if (plan.points == 0) {
    std::fill(window_sums.begin(), window_sums.end(), std::byte{0});
    return;
  }
  MsmMemory<F> m(plan, &arena);
  const auto n = static_cast<std::uint32_t>(plan.points);
  DigitOffset offset{};
  WindowBuckets windows{};
  for (unsigned w = 0; w < plan.windows; ++w) {
    const unsigned bit = plan.shift[w] + plan.width[w] - 1;
    offset.l[bit / 32] |= 1u << bit % 32;
    windows.begin[w + 1] = static_cast<std::uint32_t>(plan.bucket_begin[w + 1]);
  }
  shifted_scalars<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(scalars, n, offset, m.shifted);
  check_launch("shifted_scalars");
  for (unsigned w = 0; w < plan.windows; ++w) add_window(plan, w, points, m, stream);
  const std::uint32_t most = 1u << (plan.width[0] - 1);
  const std::uint32_t chunks = (most + kReducedBuckets - 1) / kReducedBuckets;
  reduce_buckets<F><<<dim3(blocks_for(chunks, 128), plan.windows), 128, 0, stream>>>(m.buckets, windows, chunks, m.chunks);
  check_launch("reduce_buckets");
  add_chunks<F><<<dim3(kChunkBlocks, plan.windows), kListThreads, 0, stream>>>(m.chunks, chunks, m.partial);
  check_launch("add_chunks");
  add_chunks<F><<<dim3(1, plan.windows), kListThreads, 0, stream>>>(m.partial, kChunkBlocks, m.windows);
  check_launch("add_chunks");
  check(cudaMemcpyAsync(window_sums.data(), m.windows, plan.windows * sizeof(Xyzz<F>), cudaMemcpyDeviceToHost, stream),
        "copying the window sums");
}

}  // namespace proofline::cuda
