// Multi-scalar multiplication against blst's Pippenger in the same run. Arguments: log2 of the size, threads.
// "vs_blst" is blst's processor time, on one thread, over ours of all threads: a ratio that other loads on the machine
// change little. A witness mix is 95 % bits, 5 % full-size scalars.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <map>

#include "math/fixed_base.hpp"
#include "math/msm.hpp"

namespace proofline::math {
namespace {

struct Input {
  std::vector<G1Affine> points;
  std::vector<Fr> full, mix;
  double blst_full = 0, blst_mix = 0;  ///< seconds
};

/// Of all threads of the process.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The better of two runs.
double seconds_of_blst(const std::vector<G1Affine>& points, const std::vector<Fr>& scalars) {
  std::vector<blst_scalar> canonical(scalars.size());
  for (std::size_t i = 0; i < scalars.size(); ++i) blst_scalar_from_fr(&canonical[i], &scalars[i].raw());
  const blst_p1_affine* point_list[] = {&points[0].p, nullptr};
  const byte* scalar_list[] = {canonical[0].b, nullptr};
  std::vector<limb_t> scratch(blst_p1s_mult_pippenger_scratch_sizeof(points.size()) / sizeof(limb_t) + 1);
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 2; ++run) {
    blst_p1 sum;
    const double start = processor_seconds();
    blst_p1s_mult_pippenger(&sum, point_list, points.size(), scalar_list, Fr::kBits, scratch.data());
    benchmark::DoNotOptimize(sum);
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

const Input& input(unsigned log_size) {
  static std::map<unsigned, Input> inputs;
  Input& out = inputs[log_size];
  if (!out.points.empty()) return out;
  const Executor exec;
  const std::size_t n = std::size_t{1} << log_size;
  out.full.resize(n);
  for (Fr& scalar : out.full) scalar = Fr::random();
  out.points.resize(n);
  FixedBaseG1(G1Affine::generator(), exec).multiply(out.full, out.points, exec);
  out.mix = out.full;
  for (std::size_t i = 0; i < n; ++i)
    if (i % 20 != 0) out.mix[i] = out.full[i].to_canonical()[0] % 2 == 0 ? Fr::zero() : Fr::one();
  out.blst_full = seconds_of_blst(out.points, out.full);
  out.blst_mix = seconds_of_blst(out.points, out.mix);
  return out;
}

void run(benchmark::State& state, const Input& in, const std::vector<Fr>& scalars, double blst_seconds) {
  const Executor exec(static_cast<unsigned>(state.range(1)));
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double start = processor_seconds();
    benchmark::DoNotOptimize(msm(std::span<const G1Affine>(in.points), scalars, exec));
    best = std::min(best, processor_seconds() - start);
  }
  state.counters["vs_blst"] = blst_seconds / best;
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * scalars.size()));
}

void MsmFull(benchmark::State& state) {
  const Input& in = input(static_cast<unsigned>(state.range(0)));
  run(state, in, in.full, in.blst_full);
}
void MsmWitnessMix(benchmark::State& state) {
  const Input& in = input(static_cast<unsigned>(state.range(0)));
  run(state, in, in.mix, in.blst_mix);
}
BENCHMARK(MsmFull)->ArgsProduct({{16, 18, 20}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(MsmWitnessMix)->ArgsProduct({{16, 18, 20}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

void FixedBaseG1Multiples(benchmark::State& state) {
  const Executor exec(static_cast<unsigned>(state.range(0)));
  const FixedBaseG1 fixed(G1Affine::generator(), exec);
  const std::vector<Fr>& scalars = input(16).full;
  std::vector<G1Affine> out(scalars.size());
  for (auto _ : state) fixed.multiply(scalars, out, exec);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * scalars.size()));
}
BENCHMARK(FixedBaseG1Multiples)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace proofline::math

BENCHMARK_MAIN();
