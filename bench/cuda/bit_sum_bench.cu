// Sums of the points selected by a random bitmap: medians of five after one warm-up, distinct points, every sum checked
// by discrete logarithms. Arguments: g1|g2, log2 of the number of points, bits set of every 8, points of a group (1, 2,
// 4).
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/known_points.cuh"
#include "cuda/timing.cuh"
#include "device/cuda/bit_sum.hpp"

namespace proofline::cuda {
namespace {

template <class Point, class F>
bool measure(const char* name, unsigned log_size, unsigned of_eight, unsigned group) {
  using Affine = typename Point::Affine;
  const std::size_t n = std::size_t{1} << log_size, words = (n + 31) / 32;
  const auto selected = [&](std::size_t i) { return mixed(i ^ 0x5555) % 8 < of_eight; };
  std::vector<std::uint32_t> bitmap(words);
  for (std::size_t i = 0; i < n; ++i) bitmap[i / 32] |= static_cast<std::uint32_t>(selected(i)) << i % 32;
  Affine* points = nullptr;
  std::uint32_t* bits = nullptr;
  std::byte* memory = nullptr;
  const std::size_t bytes = bit_sum_device_bytes<Point>(n, group);
  check(cudaMalloc(&points, n * sizeof(Affine)), "memory");
  check(cudaMalloc(&bits, words * 4), "memory");
  check(cudaMalloc(&memory, bytes), "memory");
  check(cudaMemset(memory, 0xa5, bytes), "filling");
  make_points<Point, F>(points, n);
  const std::size_t grouped = grouped_points(n, group);
  if (group > 1) {
    Affine* groups = nullptr;
    std::byte* room = nullptr;
    check(cudaMalloc(&groups, grouped * sizeof(Affine)), "memory");
    check(cudaMalloc(&room, group_points_device_bytes<Point>()), "memory");
    group_points<Point>({points, n}, group, {groups, grouped}, Arena({room, group_points_device_bytes<Point>()}),
                        nullptr);
    check(cudaDeviceSynchronize(), "groups");
    check(cudaFree(room), "memory");
    check(cudaFree(points), "memory");
    points = groups;
  }
  check(cudaMemcpy(bits, bitmap.data(), words * 4, cudaMemcpyHostToDevice), "bitmap");
  std::byte sum[kBitSumBytes<Point>];
  const float ms = median_ms([&] {
    enqueue_bit_sum<Point>({points, grouped}, n, group, {bits, words}, Arena({memory, bytes}), sum, nullptr);
  });
  const math::Fr expected =
      sum_of_logarithms(n, [&](std::size_t i) { return selected(i) ? math::Fr::one() : math::Fr(); });
  const bool right = finish_bit_sum<Point>(sum) == Point::generator() * expected;
  std::printf("%s bit sum 2^%u, %u of 8 bits, groups of %u: %.2f ms %s (%.2f GiB)\n", name, log_size, of_eight, group,
              ms, right ? "right" : "WRONG", static_cast<double>(bytes) / (1 << 30));
  std::fflush(stdout);
  check(cudaFree(points), "memory");
  check(cudaFree(bits), "memory");
  check(cudaFree(memory), "memory");
  return right;
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  using namespace proofline;
  if (count < 5) {
    std::fprintf(stderr, "usage: %s g1|g2 LOG2_SIZE BITS_OF_EIGHT GROUP\n", arguments[0]);
    return 2;
  }
  const auto log_size = static_cast<unsigned>(std::atoi(arguments[2]));
  const auto of_eight = static_cast<unsigned>(std::atoi(arguments[3]));
  const auto group = static_cast<unsigned>(std::atoi(arguments[4]));
  try {
    const bool right = std::strcmp(arguments[1], "g2") == 0
                           ? cuda::measure<math::G2, cuda::Fp2>("G2", log_size, of_eight, group)
                           : cuda::measure<math::G1, cuda::Fp>("G1", log_size, of_eight, group);
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
