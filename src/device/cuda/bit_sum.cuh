#pragma once
/// The kernels of bit_sum.hpp. Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/bit_sum.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/points.cuh"

namespace proofline::cuda {

/// Rounds of affine additions; what they leave is added in XYZZ form, which has no inversions.
constexpr unsigned kBitRounds = 4;
constexpr unsigned kSumThreads = 128, kSumGrid = 528;
template <class F>
constexpr unsigned kAddBlocks = sizeof(F) == 48 ? 4 : 2;

static __global__ void count_bits(const std::uint32_t* bits, std::uint32_t words, std::uint32_t* counts) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= words) counts[i] = i < words ? __popc(bits[i]) : 0;
}

/// counts holds the number of set bits before each word.
static __global__ void list_selected(const std::uint32_t* bits, std::uint32_t words, const std::uint32_t* counts,
                                     std::uint32_t* references, std::uint32_t* pairs) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) {
    if (i > words) return;
    // The thread after the last word: the counts of all rounds, and a missing partner.
    std::uint32_t left = counts[words];
    if (left % 2 != 0) references[left] = kNoPoint;
    for (unsigned r = 0; r <= kBitRounds; ++r) {
      left = (left + 1) / 2;
      pairs[r] = left;
    }
    return;
  }
  std::uint32_t at = counts[i];
  for (std::uint32_t word = bits[i]; word != 0; word &= word - 1) references[at++] = 32 * i + (__ffs(word) - 1);
}

/// References to neighbours among *count points.
static __global__ void list_neighbours(const std::uint32_t* count, PairReference* references) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < *count) references[i] = {2 * i, 2 * i + 1 < *count ? 2 * i + 1 : kNoPoint};
}

template <class F>
__device__ void add_block(Xyzz<F>* shared) {
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add_at(&shared[threadIdx.x], &shared[threadIdx.x + half]);
  }
  __syncthreads();
}

template <class F>
__global__ void __launch_bounds__(kSumThreads, kAddBlocks<F>)
    add_points(const Affine<F>* points, const std::uint32_t* count, Xyzz<F>* out) {
  extern __shared__ uint4 memory[];
  auto* const shared = reinterpret_cast<Xyzz<F>*>(memory);
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = blockIdx.x * kSumThreads + threadIdx.x; i < *count; i += gridDim.x * kSumThreads) {
    sum.add(points[i]);
  }
  shared[threadIdx.x] = sum;
  add_block(shared);
  if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

template <class F>
__global__ void add_sums(const Xyzz<F>* in, std::uint32_t count, Xyzz<F>* out) {
  extern __shared__ uint4 memory[];
  auto* const shared = reinterpret_cast<Xyzz<F>*>(memory);
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < count; i += kSumThreads) add_at(&sum, &in[i]);
  shared[threadIdx.x] = sum;
  add_block(shared);
  if (threadIdx.x == 0) *out = shared[0];
}

template <class F>
struct BitSumMemory {
  std::size_t bytes = 0;
  std::span<std::uint32_t> counts, references;
  std::uint32_t* pairs;
  std::span<std::byte> scratch;
  RoundScratch rounds;
  Affine<F>* sums[2];
  Xyzz<F>*blocks, *sum;

  /// Without an arena, only counts.
  BitSumMemory(std::size_t n, Arena* arena) : arena_(arena) {
    const std::size_t half = n / 2 + 1, words = (n + 31) / 32;
    counts = take<std::uint32_t>(words + 1);
    references = take<std::uint32_t>(2 * half);
    pairs = take<std::uint32_t>(kBitRounds + 1).data();
    scratch = take<std::byte>(sort_scratch_bytes(words + 1));
    const RoundScratch::Sizes sizes = RoundScratch::sizes(half, sizeof(F));
    rounds.before = take<std::byte>(sizes.before);
    rounds.products = take<std::byte>(sizes.products);
    rounds.inversion = take<std::byte>(sizes.inversion);
    rounds.pairs = half;
    sums[0] = take<Affine<F>>(half).data();
    sums[1] = take<Affine<F>>(half / 2 + 1).data();
    blocks = take<Xyzz<F>>(kSumGrid).data();
    sum = take<Xyzz<F>>(1).data();
  }

 private:
  template <class T>
  std::span<T> take(std::size_t count) {
    bytes += Arena::rounded(count * sizeof(T));
    return arena_ ? arena_->take<T>(count) : std::span<T>();
  }
  Arena* arena_;
};

template <class Point, class F>
void bit_sum_on_device(std::span<const typename Point::Affine> points, std::span<const std::uint32_t> bits, Arena arena,
                       std::span<std::byte> sum, Stream stream) {
  using Stored = typename Point::Affine;
  const std::size_t n = points.size();
  if (n >= std::size_t{1} << 31) throw InputError("bit sum: 2^31 points or more; do it in parts");
  if (bits.size() != (n + 31) / 32) throw InputError("bit sum: the bitmap is for another number of points");
  if (sum.size() < kBitSumBytes<Point>) throw InputError("bit sum: too little room for the sum");
  if (n == 0) {
    std::fill(sum.begin(), sum.end(), std::byte{0});
    return;
  }
  BitSumMemory<F> m(n, &arena);
  const auto words = static_cast<std::uint32_t>(bits.size());
  count_bits<<<blocks_for(words + 1, 256), 256, 0, stream>>>(bits.data(), words, m.counts.data());
  check_launch("count_bits");
  exclusive_sum(m.counts, m.scratch, stream);
  list_selected<<<blocks_for(words + 1, 256), 256, 0, stream>>>(bits.data(), words, m.counts.data(), m.references.data(),
                                                               m.pairs);
  check_launch("list_selected");
  const std::span<PairReference> references{reinterpret_cast<PairReference*>(m.references.data()), m.rounds.pairs};
  const Stored* from = points.data();
  std::size_t most = n;
  for (unsigned r = 0; r < kBitRounds; ++r) {
    most = (most + 1) / 2;
    if (r > 0) {
      list_neighbours<<<blocks_for(most, 256), 256, 0, stream>>>(m.pairs + r - 1, references.data());
      check_launch("list_neighbours");
    }
    auto* const to = reinterpret_cast<Stored*>(m.sums[r % 2]);
    add_pairs<Stored>(from, references, m.pairs + r, most, m.rounds, to, stream);
    from = to;
  }
  const std::size_t shared = kSumThreads * sizeof(Xyzz<F>);
  add_points<<<kSumGrid, kSumThreads, shared, stream>>>(reinterpret_cast<const Affine<F>*>(from),
                                                        m.pairs + kBitRounds - 1, m.blocks);
  check_launch("add_points");
  add_sums<<<1, kSumThreads, shared, stream>>>(m.blocks, kSumGrid, m.sum);
  check_launch("add_sums");
  check(cudaMemcpyAsync(sum.data(), m.sum, kBitSumBytes<Point>, cudaMemcpyDeviceToHost, stream), "copying the sum");
}

}  // namespace proofline::cuda
