#include "device/cuda/bucket_lists.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/fields.cuh"

namespace proofline::cuda {
namespace {

constexpr unsigned kThreads = 256;

struct DigitOffset {
  std::uint32_t l[8];
};

__global__ void shifted_scalars(const Fr* scalars, std::uint32_t n, DigitOffset offset, std::uint32_t* out) {
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

/// Keys are buckets; a zero digit gets the key one past the last. A window may end past bit 256: those bits are zero.
__global__ void window_digits(const std::uint32_t* shifted, std::uint32_t n, unsigned shift, unsigned width,
                              bool offset, std::uint32_t first, std::uint32_t* keys, std::uint32_t* values) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = shift / 32, bit = shift % 32;
  const std::uint32_t low = shifted[std::size_t{n} * word + i];
  const std::uint32_t high = bit + width > 32 && word < 7 ? shifted[std::size_t{n} * (word + 1) + i] : 0;
  const std::uint32_t half = 1u << (width - 1);
  const std::uint32_t digit = __funnelshift_r(low, high, bit) & (2 * half - 1);
  std::uint32_t key, value = first + i;
  if (offset) {
    key = digit == half ? half : digit > half ? digit - half - 1 : half - digit - 1;
    if (digit < half) value |= kNegated;
  } else {
    key = digit == 0 ? half : digit - 1;
  }
  keys[first + i] = key;
  values[first + i] = value;
}

/// offsets[b] is where the first item of bucket b or a later one is.
__global__ void list_offsets(const std::uint32_t* keys, std::uint32_t n, std::uint32_t buckets,
                             std::uint32_t* offsets) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b > buckets) return;
  std::uint32_t low = 0, high = n;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  offsets[b] = low;
}

__global__ void halved_lengths(const std::uint32_t* offsets, std::uint32_t buckets, std::uint32_t* out) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b > buckets) return;
  out[b] = b == buckets ? 0 : (offsets[b + 1] - offsets[b] + 1) / 2;
}

__global__ void make_pairs(const std::uint32_t* keys, const std::uint32_t* values, std::uint32_t buckets,
                           const std::uint32_t* before, const std::uint32_t* after, std::uint32_t* keys_after,
                           PairReference* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= before[buckets]) return;
  const std::uint32_t key = keys[i], position = i - before[key];
  if (position % 2 != 0) return;
  const bool alone = i + 1 == before[key + 1];
  const std::uint32_t at = after[key] + position / 2;
  keys_after[at] = key;
  out[at] =
      values ? PairReference{values[i], alone ? kNoPoint : values[i + 1]} : PairReference{i, alone ? kNoPoint : i + 1};
}

/// A window that reaches bit 256 has room for its digit without a sign; all others get half of their range added.
bool has_offset(const MsmPlan& plan, unsigned s, unsigned copy) {
  return copy * plan.copy_bits + plan.shift[s] + plan.width[s] <= 256;
}

}  // namespace

void shift_scalars(const MsmPlan& plan, std::span<const math::Fr> scalars, std::uint32_t* out, Stream stream) {
  DigitOffset offset{};
  for (unsigned s = 0; s < plan.sets; ++s) {
    for (unsigned c = 0; c < plan.windows(s); ++c) {
      if (!has_offset(plan, s, c)) continue;
      const unsigned bit = c * plan.copy_bits + plan.shift[s] + plan.width[s] - 1;
      offset.l[bit / 32] |= 1u << bit % 32;
    }
  }
  const auto n = static_cast<std::uint32_t>(scalars.size());
  shifted_scalars<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(reinterpret_cast<const Fr*>(scalars.data()), n,
                                                                    offset, out);
  check_launch("shifted_scalars");
}

void make_lists(const MsmPlan& plan, unsigned s, const std::uint32_t* shifted, BucketLists& lists, Stream stream) {
  const auto n = static_cast<std::uint32_t>(plan.points);
  const unsigned windows = plan.windows(s);
  lists.buckets = static_cast<std::uint32_t>(plan.bucket_begin[s + 1] - plan.bucket_begin[s]);
  lists.items = plan.points * windows;
  lists.current = 0;
  lists.pairs.current = 0;
  for (unsigned c = 0; c < windows; ++c) {
    window_digits<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(
        shifted, n, c * plan.copy_bits + plan.shift[s], plan.width[s], has_offset(plan, s, c), c * n,
        lists.pairs.keys[0].data(), lists.pairs.values[0].data());
    check_launch("window_digits");
  }
  sort_pairs(lists.pairs, lists.items, plan.width[s], lists.scratch, stream);
  const auto items = static_cast<std::uint32_t>(lists.items);
  list_offsets<<<blocks_for(lists.buckets + 1, kThreads), kThreads, 0, stream>>>(
      lists.pairs.keys[lists.pairs.current].data(), items, lists.buckets, lists.offsets[0].data());
  check_launch("list_offsets");
}

void pair_neighbours(BucketLists& lists, bool first, Stream stream) {
  const std::uint32_t* const before = lists.offsets[lists.current].data();
  std::uint32_t* const after = lists.offsets[1 - lists.current].data();
  halved_lengths<<<blocks_for(lists.buckets + 1, kThreads), kThreads, 0, stream>>>(before, lists.buckets, after);
  check_launch("halved_lengths");
  exclusive_sum({after, lists.buckets + 1}, lists.scratch, stream);
  const int now = lists.pairs.current;
  make_pairs<<<blocks_for(lists.items, kThreads), kThreads, 0, stream>>>(
      lists.pairs.keys[now].data(), first ? lists.pairs.values[now].data() : nullptr, lists.buckets, before, after,
      lists.pairs.keys[1 - now].data(), lists.references.data());
  check_launch("make_pairs");
  lists.pairs.current = 1 - now;
  lists.current = 1 - lists.current;
  lists.items = std::min(lists.items, (lists.items + lists.buckets) / 2);
}

}  // namespace proofline::cuda
