#pragma once
/// The kernels of bucket_sums.hpp. Included by one .cu file for each group.
#include "device/cuda/block_sum.cuh"
#include "device/cuda/bucket_sums.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/point_view.cuh"

namespace proofline::cuda {

constexpr unsigned kListThreads = 64;
/// Longer lists are added by a whole block.
constexpr std::uint32_t kBlockList = 64;
constexpr unsigned kReduceThreads = 128;
constexpr unsigned kPartialBlocks = 32;
template <class F>
constexpr unsigned kReduceBlocks = sizeof(F) == 48 ? 3 : 2;

template <class F>
__global__ void copy_single_lists(PointView points, const std::uint32_t* offsets, std::uint32_t buckets, Affine<F>* out,
                                  std::uint32_t* long_lists) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= buckets) return;
  const std::uint32_t first = offsets[b], length = offsets[b + 1] - first;
  if (length > 1) long_lists[1 + atomicAdd(long_lists, 1u)] = b;
  out[b] = length == 1 ? point_at<F>(points, first) : Affine<F>::infinity();
}

template <class F>
__device__ Xyzz<F> add_list(PointView points, std::uint32_t first, std::uint32_t end, std::uint32_t step) {
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = first; i < end; i += step) {
    const Xyzz<F> point = Xyzz<F>::from(point_at<F>(points, i));
    add_at(&sum, &point);
  }
  return sum;
}

template <class F>
__global__ void add_long_lists(PointView points, const std::uint32_t* offsets, const std::uint32_t* long_lists,
                               Xyzz<F>* parts) {
  __shared__ Xyzz<F> shared[kListThreads];
  const std::uint32_t count = long_lists[0];
  Xyzz<F> total = Xyzz<F>::infinity();
  for (std::uint32_t base = blockIdx.x * kListThreads; base < count; base += gridDim.x * kListThreads) {
    const std::uint32_t here = min(count - base, kListThreads);
    if (threadIdx.x < here) {
      const std::uint32_t b = long_lists[1 + base + threadIdx.x];
      if (offsets[b + 1] - offsets[b] <= kBlockList) {
        const Xyzz<F> weighted = multiple(add_list<F>(points, offsets[b], offsets[b + 1], 1), b + 1);
        add_at(&total, &weighted);
      }
    }
    for (std::uint32_t k = 0; k < here; ++k) {
      const std::uint32_t b = long_lists[1 + base + k];
      if (offsets[b + 1] - offsets[b] <= kBlockList) continue;
      shared[threadIdx.x] = add_list<F>(points, offsets[b] + threadIdx.x, offsets[b + 1], kListThreads);
      add_over_block(shared);
      if (threadIdx.x == 0) {
        const Xyzz<F> weighted = multiple(shared[0], b + 1);
        add_at(&total, &weighted);
      }
      __syncthreads();
    }
  }
  shared[threadIdx.x] = total;
  add_over_block(shared);
  if (threadIdx.x == 0) parts[blockIdx.x] = shared[0];
}

struct SetBuckets {
  std::uint32_t begin[MsmPlan::kMaxSets + 1];
};

/// A thread's kBucketsOfThread buckets of the set blockIdx.y.
template <class F>
__global__ void __launch_bounds__(kReduceThreads, kReduceBlocks<F>)
    reduce_buckets(const Affine<F>* buckets, SetBuckets sets, std::uint32_t parts_of_set, Xyzz<F>* parts) {
  const std::uint32_t part = blockIdx.x * blockDim.x + threadIdx.x;
  if (part >= parts_of_set - kLongListBlocks) return;
  const std::uint32_t begin = sets.begin[blockIdx.y];
  const std::uint32_t count = sets.begin[blockIdx.y + 1] - begin;
  const std::uint32_t first = part * kBucketsOfThread;
  Xyzz<F> running = Xyzz<F>::infinity(), sum = Xyzz<F>::infinity();
  if (first < count) {
#pragma unroll 1
    for (std::uint32_t i = min(first + kBucketsOfThread, count); i-- > first;) {
      running.add(buckets[begin + i]);
      sum.add(running);
    }
    const Xyzz<F> shifted = multiple(running, first);
    add_at(&sum, &shifted);
  }
  parts[std::size_t{blockIdx.y} * parts_of_set + kLongListBlocks + part] = sum;
}

/// A block adds its share (gridDim.x shares) of the points of the set blockIdx.y.
template <class F>
__global__ void add_parts(const Xyzz<F>* in, std::uint32_t count, Xyzz<F>* out) {
  __shared__ Xyzz<F> shared[kListThreads];
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    add_at(&sum, &in[std::size_t{blockIdx.y} * count + i]);
  }
  shared[threadIdx.x] = sum;
  add_over_block(shared);
  if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = shared[0];
}

template <class F>
void collect_on_device(const MsmPlan& plan, unsigned s, const BucketLists& lists, PointView points,
                       BucketSumScratch scratch, Affine<F>* out, Stream stream) {
  auto* const long_lists = reinterpret_cast<std::uint32_t*>(scratch.long_lists.data());
  check(cudaMemsetAsync(long_lists, 0, 4, stream), "clearing long lists");
  copy_single_lists<<<blocks_for(lists.buckets, 256), 256, 0, stream>>>(points, lists.begin(), lists.buckets, out,
                                                                        long_lists);
  check_launch("copy_single_lists");
  add_long_lists<F><<<kLongListBlocks, kListThreads, 0, stream>>>(
      points, lists.begin(), long_lists, reinterpret_cast<Xyzz<F>*>(scratch.parts.data()) + s * parts_of(plan));
  check_launch("add_long_lists");
}

template <class F>
void weighted_sums_on_device(const MsmPlan& plan, const Affine<F>* buckets, BucketSumScratch scratch, Stream stream) {
  SetBuckets sets{};
  for (unsigned s = 0; s <= plan.sets; ++s) sets.begin[s] = static_cast<std::uint32_t>(plan.bucket_begin[s]);
  const auto parts_of_set = static_cast<std::uint32_t>(parts_of(plan));
  auto* const parts = reinterpret_cast<Xyzz<F>*>(scratch.parts.data());
  auto* const partial = reinterpret_cast<Xyzz<F>*>(scratch.partial.data());
  auto* const sums = reinterpret_cast<Xyzz<F>*>(scratch.sums.data());
  reduce_buckets<<<dim3(blocks_for(parts_of_set - kLongListBlocks, kReduceThreads), plan.sets), kReduceThreads, 0,
                   stream>>>(buckets, sets, parts_of_set, parts);
  check_launch("reduce_buckets");
  add_parts<<<dim3(kPartialBlocks, plan.sets), kListThreads, 0, stream>>>(parts, parts_of_set, partial);
  check_launch("add_parts");
  add_parts<<<dim3(1, plan.sets), kListThreads, 0, stream>>>(partial, kPartialBlocks, sums);
  check_launch("add_parts");
}

}  // namespace proofline::cuda
