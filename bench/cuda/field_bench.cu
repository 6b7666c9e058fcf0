// Products and squares a second of the whole device, in chains that depend on themselves, at several occupancies.
#include <cstdio>
#include <vector>

#include "cuda/timing.cuh"
#include "device/cuda/fields.cuh"

namespace proofline::cuda {
namespace {

constexpr unsigned kThreads = 128, kSteps = 512;

template <class F, bool kSquare, unsigned kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) chain(const F* in, F* out) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  F a = in[i];
  const F b = in[i + 1];
#pragma unroll 1
  for (unsigned s = 0; s < kSteps; ++s) a = kSquare ? a.square() : a * b;
  out[i] = a;
}

template <class F, bool kSquare, unsigned kBlocks>
void measure(const char* name, unsigned processors) {
  const unsigned blocks = processors * kBlocks;
  const std::size_t n = std::size_t{blocks} * kThreads;
  std::vector<std::uint32_t> host((n + 1) * F::kLimbs);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<std::uint32_t>(i * 2654435761u) >> (i % F::kLimbs == F::kLimbs - 1 ? 4 : 0);
  F *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, (n + 1) * sizeof(F)), "memory");
  check(cudaMalloc(&out, n * sizeof(F)), "memory");
  check(cudaMemcpy(in, host.data(), (n + 1) * sizeof(F), cudaMemcpyHostToDevice), "copy");
  const float ms = median_ms([&] {
    chain<F, kSquare, kBlocks><<<blocks, kThreads>>>(in, out);
    check_launch("chain");
  });
  std::printf("%s, %u threads a multiprocessor: %.2f G/s\n", name, kBlocks * kThreads,
              static_cast<double>(n) * kSteps / ms / 1e6);
  check(cudaFree(in), "memory");
  check(cudaFree(out), "memory");
}

}  // namespace
}  // namespace proofline::cuda

int main() {
  using namespace proofline::cuda;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "device");
  const auto processors = static_cast<unsigned>(properties.multiProcessorCount);
  std::printf("%s, %u multiprocessors\n", properties.name, processors);
  measure<Fp, false, 2>("Fp product", processors);
  measure<Fp, false, 4>("Fp product", processors);
  measure<Fp, false, 6>("Fp product", processors);
  measure<Fp, false, 8>("Fp product", processors);
  measure<Fp, true, 2>("Fp square", processors);
  measure<Fp, true, 4>("Fp square", processors);
  measure<Fp, true, 8>("Fp square", processors);
  measure<Fr, false, 4>("Fr product", processors);
  measure<Fr, false, 12>("Fr product", processors);
}
