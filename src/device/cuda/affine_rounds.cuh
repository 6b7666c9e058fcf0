#pragma once
/// The kernels of affine_rounds.hpp. Included by one .cu file for each group.
#include <algorithm>

#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/inversion.cuh"
#include "device/cuda/point_view.cuh"

namespace proofline::cuda {

constexpr unsigned kPairThreads = 128;
#ifndef PROOFLINE_SUM_BLOCKS
#define PROOFLINE_SUM_BLOCKS 4
#endif
#ifndef PROOFLINE_PRODUCT_BLOCKS
#define PROOFLINE_PRODUCT_BLOCKS 6
#endif
/// Blocks of a multiprocessor, which sets the registers of a thread.
template <class F>
constexpr unsigned kSumBlocks = sizeof(F) == 48 ? PROOFLINE_SUM_BLOCKS : 3;
template <class F>
constexpr unsigned kProductBlocks = sizeof(F) == 48 ? PROOFLINE_PRODUCT_BLOCKS : 4;

/// Additions of a thread: fewer in small rounds, so that the device stays full.
inline unsigned pairs_of_thread(std::size_t pairs) {
  return static_cast<unsigned>(std::clamp<std::size_t>(pairs / RoundScratch::kSmallRoundThreads, 8, 32));
}

/// What the slope of p + q is divided by, where x is equal or infinity takes part: one if there is no slope.
template <class F>
__device__ __forceinline__ F rare_denominator(PointView points, PairReference r) {
  if (r.right == kNoPoint) return F::one();
  const Affine<F> p = point_at<F>(points, r.left & ~kNegated), q = point_at<F>(points, r.right & ~kNegated);
  if (p.is_infinity() || q.is_infinity()) return F::one();
  const F dx = q.x - p.x;
  if (!dx.is_zero()) return dx;
  const bool same_sign = ((r.left ^ r.right) & kNegated) == 0;
  const bool same_y = p.y == q.y;
  if (same_y != same_sign) return F::one();
  return r.left & kNegated ? -p.y.doubled() : p.y.doubled();
}

template <class F>
__device__ __forceinline__ F denominator(PointView points, PairReference r, bool& rare) {
  F dx = F::one();
  rare = r.right == kNoPoint;
  if (!rare) {
    const F px = x_at<F>(points, r.left & ~kNegated), qx = x_at<F>(points, r.right & ~kNegated);
    dx = qx - px;
    rare = px.is_zero() || qx.is_zero() || dx.is_zero();
    if (rare) dx = rare_denominator<F>(points, r);
  }
  return dx;
}

/// A thread's pairs are kPairThreads apart. Writes the product of the denominators before each pair and of all a
/// thread's.
template <class F>
__global__ void __launch_bounds__(kPairThreads, kProductBlocks<F>)
    pair_products(PointView points, const PairReference* references, const std::uint32_t* count, unsigned each,
                  F* before, F* products) {
  const std::uint32_t pairs = *count;
  std::uint32_t i = blockIdx.x * (kPairThreads * each) + threadIdx.x;
  F product = F::one();
  if (i < pairs) {
    PairReference next = references[i];
#pragma unroll 1
    for (unsigned j = 0; j < each && i < pairs; ++j, i += kPairThreads) {
      const PairReference now = next;
      if (i + kPairThreads < pairs) next = references[i + kPairThreads];
      bool rare;
      const F d = denominator<F>(points, now, rare);
      before[i] = product;
      product = product * d;
    }
  }
  products[blockIdx.x * kPairThreads + threadIdx.x] = product;
}

/// The sum where pair_products() met a rare case; `slope_share` is one over rare_denominator().
template <class F>
__device__ __forceinline__ Affine<F> rare_sum(PointView points, PairReference r, const F& slope_share) {
  Affine<F> p = point_at<F>(points, r.left & ~kNegated);
  if (r.left & kNegated) p.y = -p.y;
  if (r.right == kNoPoint) return p;
  Affine<F> q = point_at<F>(points, r.right & ~kNegated);
  if (r.right & kNegated) q.y = -q.y;
  if (q.is_infinity()) return p;
  if (p.is_infinity()) return q;
  F numerator = q.y - p.y;
  if (p.x == q.x) {
    if (!(p.y == q.y)) return Affine<F>::infinity();
    const F square = p.x.square();
    numerator = square.doubled() + square;
  }
  const F slope = slope_share * numerator;
  Affine<F> sum;
  sum.x = slope.square() - p.x - q.x;
  sum.y = slope * (p.x - sum.x) - p.y;
  return sum;
}

template <class F>
__device__ __noinline__ void rare_sum_at(PointView points, PairReference r, const F* slope_share, PointTarget out,
                                         std::uint32_t i) {
  const Affine<F> sum = rare_sum(points, r, *slope_share);
  set_point(out, i, sum.x, sum.y);
}

template <class F>
__global__ void __launch_bounds__(kPairThreads, kSumBlocks<F>)
    pair_sums(PointView points, const PairReference* references, const std::uint32_t* count, unsigned each, F* before,
              const F* inverses, PointTarget out) {
  const std::uint32_t pairs = *count;
  const std::uint32_t first = blockIdx.x * (kPairThreads * each) + threadIdx.x;
  if (first >= pairs) return;
  F inverse = inverses[blockIdx.x * kPairThreads + threadIdx.x];
  unsigned j = min(each, (pairs - first + kPairThreads - 1) / kPairThreads);
  PairReference next = references[first + (j - 1) * kPairThreads];
#pragma unroll 1
  while (j-- > 0) {
    const std::uint32_t i = first + j * kPairThreads;
    const PairReference now = next;
    if (j > 0) next = references[i - kPairThreads];
    F slope = inverse * before[i];
    bool rare;
    {
      const F d = denominator<F>(points, now, rare);
      inverse = inverse * d;
    }
    if (rare) {
      // The slope's share waits in memory, so that the rare case holds no registers here.
      before[i] = slope;
      rare_sum_at(points, now, &before[i], out, i);
      continue;
    }
    const std::uint32_t left = now.left & ~kNegated, right = now.right & ~kNegated;
    F py = y_at<F>(points, left);
    if (now.left & kNegated) py = -py;
    F qy = y_at<F>(points, right);
    if (now.right & kNegated) qy = -qy;
    slope = slope * (qy - py);
    const F px = x_at<F>(points, left);
    const F x = slope.square() - px - x_at<F>(points, right);
    set_point(out, i, x, slope * (px - x) - py);
  }
}

template <class F>
void add_pairs_on_device(PointView points, std::span<const PairReference> references, const std::uint32_t* count,
                         std::size_t most_pairs, RoundScratch scratch, PointTarget out, Stream stream) {
  if (most_pairs == 0) return;
  if (most_pairs > scratch.pairs || most_pairs > references.size()) throw InputError("msm: a round is too large");
  const unsigned each = pairs_of_thread(most_pairs);
  const unsigned blocks = blocks_for(most_pairs, std::size_t{kPairThreads} * each);
  F* const before = reinterpret_cast<F*>(scratch.before.data());
  F* const products = reinterpret_cast<F*>(scratch.products.data());
  pair_products<F><<<blocks, kPairThreads, 0, stream>>>(points, references.data(), count, each, before, products);
  check_launch("pair_products");
  invert(products, blocks * kPairThreads, reinterpret_cast<F*>(scratch.inversion.data()), stream);
  pair_sums<F><<<blocks, kPairThreads, 0, stream>>>(points, references.data(), count, each, before, products, out);
  check_launch("pair_sums");
}

}  // namespace proofline::cuda
