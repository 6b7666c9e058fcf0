// Transforms over Fr. Arguments: log2 of the size, threads. "ns_a_butterfly" is the time over n/2 log n.
#include <benchmark/benchmark.h>

#include "math/ntt.hpp"

namespace proofline::math {
namespace {

void Ntt(benchmark::State& state) {
  const auto log_size = static_cast<unsigned>(state.range(0));
  const Executor exec(static_cast<unsigned>(state.range(1)));
  const Domain domain(log_size, exec);
  std::vector<Fr> values(domain.size());
  for (Fr& value : values) value = Fr::random();
  for (auto _ : state) domain.forward(values, exec);
  state.counters["ns_a_butterfly"] =
      benchmark::Counter(static_cast<double>(domain.size() / 2 * log_size) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(Ntt)->ArgsProduct({{16, 18, 20}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace proofline::math

BENCHMARK_MAIN();
