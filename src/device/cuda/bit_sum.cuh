#pragma once
/// The kernels of bit_sum.hpp. Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/bit_sum.hpp"
#include "device/cuda/block_sum.cuh"
#include "device/cuda/check.cuh"
#include "device/cuda/normalise.cuh"
#include "device/cuda/pieces.hpp"
#include "device/cuda/point_view.cuh"

namespace proofline::cuda {

/// Rounds of affine additions; what they leave is added in XYZZ form, which has no inversions.
constexpr unsigned kBitRounds = 4;
constexpr unsigned kSumThreads = 128, kSumGrid = 528;
template <class F>
constexpr unsigned kAddBlocks = sizeof(F) == 48 ? 4 : 2;

/// Groups that are not empty.
static __global__ void count_groups(const std::uint32_t* bits, std::uint32_t words, unsigned group,
                                    std::uint32_t* counts) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > words) return;
  std::uint32_t count = 0;
  const std::uint32_t mask = (1u << group) - 1;
  if (i < words) {
    for (std::uint32_t word = bits[i]; word != 0; word >>= group) count += (word & mask) != 0;
  }
  counts[i] = count;
}

/// counts holds the number of references before each word.
static __global__ void list_selected(const std::uint32_t* bits, std::uint32_t words, unsigned group,
                                     const std::uint32_t* counts, std::uint32_t* references, std::uint32_t* pairs) {
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
  const std::uint32_t mask = (1u << group) - 1;
  std::uint32_t first = 32 / group * i * mask;
  for (std::uint32_t word = bits[i]; word != 0; word >>= group, first += mask) {
    if ((word & mask) != 0) references[at++] = first + (word & mask) - 1;
  }
}

/// References to neighbours among *count points.
static __global__ void list_neighbours(const std::uint32_t* count, PairReference* references) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < *count) references[i] = {2 * i, 2 * i + 1 < *count ? 2 * i + 1 : kNoPoint};
}

template <class F>
__global__ void __launch_bounds__(kSumThreads, kAddBlocks<F>)
    add_points(PointView points, const std::uint32_t* count, Xyzz<F>* out) {
  extern __shared__ uint4 memory[];
  auto* const shared = reinterpret_cast<Xyzz<F>*>(memory);
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = blockIdx.x * kSumThreads + threadIdx.x; i < *count; i += gridDim.x * kSumThreads) {
    sum.add(point_at<F>(points, i));
  }
  shared[threadIdx.x] = sum;
  add_over_block(shared);
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
  add_over_block(shared);
  if (threadIdx.x == 0) *out = shared[0];
}

template <class F>
struct BitSumMemory {
  std::span<std::uint32_t> counts, references;
  std::uint32_t* pairs;
  std::span<std::byte> scratch;
  RoundScratch rounds;
  PointTarget sums[2];
  Xyzz<F>*blocks, *sum;

  BitSumMemory(std::size_t n, unsigned group, Pieces& pieces) {
    const std::size_t half = (n + group - 1) / group / 2 + 1, words = (n + 31) / 32;
    counts = pieces.take<std::uint32_t>(words + 1);
    references = pieces.take<std::uint32_t>(2 * half);
    pairs = pieces.take<std::uint32_t>(kBitRounds + 1).data();
    scratch = pieces.take<std::byte>(sort_scratch_bytes(words + 1));
    const RoundScratch::Sizes sizes = RoundScratch::sizes(half, sizeof(F));
    rounds.before = pieces.take<std::byte>(sizes.before);
    rounds.products = pieces.take<std::byte>(sizes.products);
    rounds.inversion = pieces.take<std::byte>(sizes.inversion);
    rounds.pairs = half;
    sums[0] = split_coordinates(pieces.take<Affine<F>>(half));
    sums[1] = split_coordinates(pieces.take<Affine<F>>(half / 2 + 1));
    blocks = pieces.take<Xyzz<F>>(kSumGrid).data();
    sum = pieces.take<Xyzz<F>>(1).data();
  }
};

template <class F>
std::size_t bit_sum_bytes(std::size_t points, unsigned group) {
  Pieces pieces(nullptr);
  const BitSumMemory<F> counted(points, group, pieces);
  return pieces.bytes();
}

inline void check_group(unsigned group) {
  if (group != 1 && group != 2 && group != 4) throw InputError("bit sum: groups have 1, 2 or 4 points");
}

template <class Point, class F>
void bit_sum_on_device(std::span<const typename Point::Affine> groups, std::size_t n, unsigned group,
                       std::span<const std::uint32_t> bits, Arena arena, std::span<std::byte> sum, Stream stream) {
  using Stored = typename Point::Affine;
  check_group(group);
  if (groups.size() != grouped_points(n, group))
    throw InputError("bit sum: the groups are of another number of points");
  if (groups.size() >= std::size_t{1} << 31) throw InputError("bit sum: 2^31 points or more; do it in parts");
  if (bits.size() != (n + 31) / 32) throw InputError("bit sum: the bitmap is for another number of points");
  if (sum.size() < kBitSumBytes<Point>) throw InputError("bit sum: too little room for the sum");
  if (n == 0) {
    std::fill(sum.begin(), sum.end(), std::byte{0});
    return;
  }
  Pieces pieces(&arena);
  BitSumMemory<F> m(n, group, pieces);
  const auto words = static_cast<std::uint32_t>(bits.size());
  count_groups<<<blocks_for(words + 1, 256), 256, 0, stream>>>(bits.data(), words, group, m.counts.data());
  check_launch("count_groups");
  exclusive_sum(m.counts, m.scratch, stream);
  list_selected<<<blocks_for(words + 1, 256), 256, 0, stream>>>(bits.data(), words, group, m.counts.data(),
                                                                m.references.data(), m.pairs);
  check_launch("list_selected");
  const std::span<PairReference> references{reinterpret_cast<PairReference*>(m.references.data()), m.rounds.pairs};
  PointView from = view_of(groups.data());
  std::size_t most = (n + group - 1) / group;
  for (unsigned r = 0; r < kBitRounds; ++r) {
    most = (most + 1) / 2;
    if (r > 0) {
      list_neighbours<<<blocks_for(most, 256), 256, 0, stream>>>(m.pairs + r - 1, references.data());
      check_launch("list_neighbours");
    }
    const PointTarget to = m.sums[r % 2];
    add_pairs<Stored>(from, references, m.pairs + r, most, m.rounds, to, stream);
    from = to;
  }
  const std::size_t shared = kSumThreads * sizeof(Xyzz<F>);
  add_points<F><<<kSumGrid, kSumThreads, shared, stream>>>(from, m.pairs + kBitRounds - 1, m.blocks);
  check_launch("add_points");
  add_sums<<<1, kSumThreads, shared, stream>>>(m.blocks, kSumGrid, m.sum);
  check_launch("add_sums");
  check(cudaMemcpyAsync(sum.data(), m.sum, kBitSumBytes<Point>, cudaMemcpyDeviceToHost, stream), "copying the sum");
}

/// The sum of a group's points that the bits of one entry's number select.
template <class F>
__global__ void add_subsets(const Affine<F>* points, std::size_t n, unsigned group, std::size_t first,
                            std::uint32_t count, Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::size_t entries = (1u << group) - 1, at = first + i;
  const std::size_t base = at / entries * group;
  Xyzz<F> sum = Xyzz<F>::infinity();
  for (unsigned mask = static_cast<unsigned>(at % entries) + 1, k = 0; mask != 0; mask >>= 1, ++k) {
    if ((mask & 1) == 0 || base + k >= n) continue;
    const Xyzz<F> point = Xyzz<F>::from(points[base + k]);
    add_at(&sum, &point);
  }
  out[i] = sum;
}

template <class Point, class F>
void group_on_device(std::span<const typename Point::Affine> points, unsigned group,
                     std::span<typename Point::Affine> out, Arena arena, Stream stream) {
  check_group(group);
  if (out.size() != grouped_points(points.size(), group)) throw InputError("bit sum: no room for the groups");
  const NormaliseMemory<F> memory(arena);
  for (std::size_t done = 0; done < out.size(); done += kNormalised) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kNormalised, out.size() - done));
    add_subsets<<<blocks_for(count, 128), 128, 0, stream>>>(reinterpret_cast<const Affine<F>*>(points.data()),
                                                            points.size(), group, done, count, memory.points);
    check_launch("add_subsets");
    normalise(memory, count, reinterpret_cast<Affine<F>*>(out.data()) + done, stream);
  }
}

}  // namespace proofline::cuda
