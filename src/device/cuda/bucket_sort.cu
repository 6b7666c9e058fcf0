#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "device/cuda/bucket_sort.hpp"
#include "device/cuda/check.cuh"

namespace proofline::cuda {

std::size_t sort_scratch_bytes(std::size_t n) {
  cub::DoubleBuffer<std::uint32_t> none(nullptr, nullptr);
  std::size_t sort = 0, scan = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, sort, none, none, static_cast<std::uint32_t>(n), 0, 32),
        "size of the radix sort's scratch");
  check(cub::DeviceScan::ExclusiveSum(nullptr, scan, static_cast<std::uint32_t*>(nullptr),
                                      static_cast<std::uint32_t*>(nullptr), static_cast<std::uint32_t>(n)),
        "size of the scan's scratch");
  return std::max(sort, scan);
}

void sort_pairs(Pairs& pairs, std::size_t n, unsigned bits, std::span<std::byte> scratch, Stream stream) {
  const int now = pairs.current;
  cub::DoubleBuffer<std::uint32_t> keys(pairs.keys[now].data(), pairs.keys[1 - now].data());
  cub::DoubleBuffer<std::uint32_t> values(pairs.values[now].data(), pairs.values[1 - now].data());
  std::size_t bytes = scratch.size();
  check(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys, values, static_cast<std::uint32_t>(n), 0,
                                        static_cast<int>(bits), stream),
        "radix sort");
  pairs.current = keys.Current() == pairs.keys[0].data() ? 0 : 1;
}

void exclusive_sum(std::span<std::uint32_t> values, std::span<std::byte> scratch, Stream stream) {
  std::size_t bytes = scratch.size();
  check(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, values.data(), values.data(),
                                      static_cast<std::uint32_t>(values.size()), stream),
        "scan");
}

}  // namespace proofline::cuda
