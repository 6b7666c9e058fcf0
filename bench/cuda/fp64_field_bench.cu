// Products and squares a second in Fp by 32-bit multiply-adds, by FP64, and by warps of both kinds side by side, at
// several shares and occupancies, in chains that depend on themselves. First checks FP64 against the 32-bit products.
#include <cstdio>
#include <random>
#include <vector>

#include "cuda/fp_doubles.cuh"
#include "cuda/timing.cuh"

namespace proofline::cuda {
namespace {

constexpr unsigned kSteps = 8;
constexpr long long kClocks = 20'000'000;
/// Values that compare() takes in pairs. The first kEdges have few bits set, or digits of 2^47 and its neighbours.
constexpr unsigned kValues = 4096, kBorders = 6 + 3 * 380, kEdges = kBorders + 200;

struct Counts {
  unsigned long long integer, doubles, clocks;
};

__global__ void __launch_bounds__(128) compare(const Fp* values, unsigned long long* wrong) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x, row = i / kValues;
  const Fp a = values[row], b = values[i % kValues], c = values[(i + 7) % kValues], e = values[(row + 3) % kValues];
  const FpDoubles x = FpDoubles::from(a), y = FpDoubles::from(b), z = FpDoubles::from(c), u = FpDoubles::from(e);
  bool right = x.to_fp() == a;
  right = right && (x * y).to_fp() == a * b;
  right = right && x.square().to_fp() == a.square();
  right = right && ((x - z) * y).to_fp() == (a - c) * b;
  right = right && (((x - z) * y) * (u - x)).to_fp() == ((a - c) * b) * (e - a);
  right = right && ((x - z) * y).square().to_fp() == ((a - c) * b).square();
  if (!right) atomicAdd(wrong, 1ull);
}

template <class F, bool kSquare>
__device__ __forceinline__ unsigned long long run(F& a, const F& b, long long end) {
  unsigned long long done = 0;
  while (clock64() < end) {
#pragma unroll 1
    for (unsigned s = 0; s < kSteps; ++s) a = kSquare ? a.square() : a * b;
    done += kSteps;
  }
  return done;
}

/// Groups of four warps, one on each quarter of the multiprocessor; the first kDoubles of kGroups take FP64. All run
/// for the same time, so that the counts are what each kind reaches beside the other.
template <int kGroups, int kDoubles, bool kSquare>
__global__ void __launch_bounds__(kGroups * 128, 1) side_by_side(const Fp* in, Fp* out, Counts* counts) {
  const unsigned i = blockIdx.x * (kGroups * 128) + threadIdx.x;
  const long long begin = clock64(), end = begin + kClocks;
  unsigned long long done;
  if (static_cast<int>(threadIdx.x / 128) < kDoubles) {
    FpDoubles a = FpDoubles::from(in[i]);
    done = run<FpDoubles, kSquare>(a, FpDoubles::from(in[i + 1]), end);
    out[i] = a.to_fp();
    if (threadIdx.x % 32 == 0) atomicAdd(&counts->doubles, 32 * done);
  } else {
    Fp a = in[i];
    done = run<Fp, kSquare>(a, in[i + 1], end);
    out[i] = a;
    if (threadIdx.x % 32 == 0) atomicAdd(&counts->integer, 32 * done);
  }
  if (threadIdx.x == 0) atomicMax(&counts->clocks, static_cast<unsigned long long>(clock64() - begin));
}

template <int kGroups, int kDoubles, bool kSquare = false>
void measure(const Fp* in, Fp* out, Counts* counts, unsigned processors) {
  const float ms = median_ms([&] {
    check(cudaMemsetAsync(counts, 0, sizeof(Counts)), "zero");
    side_by_side<kGroups, kDoubles, kSquare><<<processors, kGroups * 128>>>(in, out, counts);
    check_launch("side_by_side");
  });
  Counts host{};
  check(cudaMemcpy(&host, counts, sizeof(host), cudaMemcpyDeviceToHost), "copy");
  const double integer = static_cast<double>(host.integer) / ms / 1e6;
  const double doubles = static_cast<double>(host.doubles) / ms / 1e6;
  std::printf("%s, %4d threads, FP64 in %d/%d: %.2f G/s (32-bit %.2f, FP64 %.2f), %.0f MHz\n",
              kSquare ? "square " : "product", kGroups * 128, kDoubles, kGroups, integer + doubles, integer, doubles,
              static_cast<double>(host.clocks) / ms / 1e3);
}

std::vector<std::uint32_t> values_to_compare() {
  constexpr Limbs<12> p = FpParameters::modulus();
  std::vector<std::uint32_t> words(std::size_t{kValues} * 12);
  std::mt19937 random(7);
  for (unsigned v = 0; v < kValues; ++v) {
    std::uint32_t* const w = words.data() + std::size_t{v} * 12;
    if (v < 3) {
      w[0] = v;
    } else if (v < 6) {
      for (int i = 0; i < 12; ++i) w[i] = p[i] - (i == 0 ? v - 2 : 0);
    } else if (v < kBorders) {
      // A power of two less one, itself, more one.
      const unsigned bit = (v - 6) / 3, kind = (v - 6) % 3;
      for (unsigned b = kind == 0 ? 0 : bit; b < bit + (kind > 0); ++b) w[b / 32] |= 1u << b % 32;
      if (kind == 2) w[0] |= 1;
    } else if (v < kEdges) {
      for (unsigned j = 0; j < 8; ++j) {
        const std::uint64_t digit = j == 7 ? random() : (std::uint64_t{1} << 47) + random() % 3 - 1;
        for (unsigned b = 0; b < 48; ++b)
          w[(48 * j + b) / 32] |= static_cast<std::uint32_t>(digit >> b & 1) << (48 * j + b) % 32;
      }
    } else {
      for (int i = 0; i < 12; ++i) w[i] = static_cast<std::uint32_t>(i == 11 ? random() % p[11] : random());
    }
  }
  return words;
}

}  // namespace
}  // namespace proofline::cuda

int main() {
  using namespace proofline::cuda;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "device");
  const auto processors = static_cast<unsigned>(properties.multiProcessorCount);
  std::printf("%s, %u multiprocessors\n", properties.name, processors);
  const std::vector<std::uint32_t> words = values_to_compare();
  const std::size_t n = std::size_t{processors} * 1024;
  Fp *values = nullptr, *in = nullptr, *out = nullptr;
  Counts* counts = nullptr;
  unsigned long long* wrong = nullptr;
  check(cudaMalloc(&values, kValues * sizeof(Fp)), "memory");
  check(cudaMalloc(&in, (n + kValues) * sizeof(Fp)), "memory");
  check(cudaMalloc(&out, n * sizeof(Fp)), "memory");
  check(cudaMalloc(&counts, sizeof(Counts)), "memory");
  check(cudaMalloc(&wrong, sizeof(*wrong)), "memory");
  check(cudaMemcpy(values, words.data(), kValues * sizeof(Fp), cudaMemcpyHostToDevice), "copy");
  for (std::size_t at = 0; at <= n; at += kValues - kEdges)
    check(cudaMemcpy(in + at, values + kEdges, (kValues - kEdges) * sizeof(Fp), cudaMemcpyDeviceToDevice), "copy");

  check(cudaMemset(wrong, 0, sizeof(*wrong)), "zero");
  compare<<<kValues * kValues / 128, 128>>>(values, wrong);
  check_launch("compare");
  unsigned long long bad = 0;
  check(cudaMemcpy(&bad, wrong, sizeof(bad), cudaMemcpyDeviceToHost), "copy");
  std::printf("%u x %u values compared, %llu wrong\n", kValues, kValues, bad);
  if (bad != 0) return 1;

  measure<2, 0>(in, out, counts, processors);
  measure<4, 0>(in, out, counts, processors);
  measure<8, 0>(in, out, counts, processors);
  measure<2, 2>(in, out, counts, processors);
  measure<4, 4>(in, out, counts, processors);
  measure<8, 8>(in, out, counts, processors);
  measure<2, 1>(in, out, counts, processors);
  measure<4, 1>(in, out, counts, processors);
  measure<4, 2>(in, out, counts, processors);
  measure<6, 2>(in, out, counts, processors);
  measure<6, 3>(in, out, counts, processors);
  measure<8, 4>(in, out, counts, processors);
  measure<4, 0, true>(in, out, counts, processors);
  measure<4, 4, true>(in, out, counts, processors);
  measure<4, 2, true>(in, out, counts, processors);
}
