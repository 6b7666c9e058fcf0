// Multi-scalar multiplication on the device: medians of five after one warm-up, distinct points, uniform scalars, every
// sum checked by discrete logarithms. Arguments: g1|g2, log2 of the size, copies of the points.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/known_points.cuh"
#include "cuda/timing.cuh"
#include "device/cuda/msm.hpp"

namespace proofline::cuda {
namespace {

template <class T>
std::span<T> on_device(std::size_t n) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, n * sizeof(T)), "memory");
  return {memory, n};
}
template <class T>
void release(std::span<T> memory) {
  check(cudaFree(memory.data()), "memory");
}

template <class Point, class F>
bool measure(const char* name, unsigned log_size, unsigned copies) {
  using Affine = typename Point::Affine;
  const std::size_t n = std::size_t{1} << log_size;
  const MsmPlan plan = plan_msm(n, copies);
  const std::size_t bytes = msm_device_bytes<Point>(plan);
  auto points = on_device<Affine>(plan.items());
  make_points<Point, F>(points.data(), n);
  float copying = 0;
  if (copies > 1) {
    auto arena = on_device<std::byte>(copy_points_device_bytes<Point>());
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    check(cudaEventRecord(begin), "event");
    copy_points<Point>(plan, points, Arena(arena), nullptr);
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "copies");
    check(cudaEventElapsedTime(&copying, begin, end), "time");
    release(arena);
  }
  auto scalars = on_device<math::Fr>(n);
  const std::uint64_t seed = 77;
  make_scalars<<<blocks_for(n, 256), 256>>>(seed, static_cast<std::uint32_t>(n),
                                            reinterpret_cast<std::uint64_t*>(scalars.data()));
  check_launch("make_scalars");
  auto memory = on_device<std::byte>(bytes);
  check(cudaMemset(memory.data(), 0xa5, bytes), "filling");
  std::vector<std::byte> sums(plan.sets * kSetSumBytes<Point>);
  const float ms = median_ms([&] { enqueue_msm<Point>(plan, points, scalars, Arena(memory), sums, nullptr); });
  const Point sum = finish_msm<Point>(plan, sums);
  const math::Fr expected = sum_of_logarithms(n, [&](std::size_t i) {
    std::uint64_t s[4];
    random_scalar(seed, i, s);
    return math::Fr::from_montgomery({s[0], s[1], s[2], s[3]});
  });
  const bool right = sum == Point::generator() * expected;
  std::printf(
      "%s 2^%u copies %u: %.2f ms %s  (sets %u, bits %u, width %u, rounds %u, %.2f GiB; copies made in %.0f ms)\n",
      name, log_size, copies, ms, right ? "right" : "WRONG", plan.sets, plan.copy_bits, plan.width[0], plan.rounds[0],
      static_cast<double>(bytes) / (1 << 30), copying);
  std::fflush(stdout);
  release(points);
  release(scalars);
  release(memory);
  return right;
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  using namespace proofline;
  if (count < 3) {
    std::fprintf(stderr, "usage: %s g1|g2 LOG2_SIZE [COPIES]\n", arguments[0]);
    return 2;
  }
  const auto log_size = static_cast<unsigned>(std::atoi(arguments[2]));
  const auto copies = static_cast<unsigned>(count > 3 ? std::atoi(arguments[3]) : 1);
  try {
    const bool right = std::strcmp(arguments[1], "g2") == 0 ? cuda::measure<math::G2, cuda::Fp2>("G2", log_size, copies)
                                                            : cuda::measure<math::G1, cuda::Fp>("G1", log_size, copies);
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
