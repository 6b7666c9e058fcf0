// Poseidon hashes a second on one thread: one by one, and many at once (vector lanes where there are any).
#include <benchmark/benchmark.h>

#include "math/poseidon.hpp"

namespace proofline::math {
namespace {

void Poseidon(benchmark::State& state) {
  const PoseidonConstants& constants = poseidon_constants(static_cast<unsigned>(state.range(0)));
  std::vector<Fr> preimage(constants.arity, Fr::random());
  for (auto _ : state) benchmark::DoNotOptimize(preimage[0] = poseidon(constants, preimage));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(Poseidon)->Arg(2)->Arg(8)->Arg(11);

void PoseidonMany(benchmark::State& state) {
  const PoseidonConstants& constants = poseidon_constants(static_cast<unsigned>(state.range(0)));
  std::vector<Fr> digests(512);
  std::vector<Fr> preimages(digests.size() * constants.arity, Fr::random());
  for (auto _ : state) {
    poseidon_many(constants, preimages, digests);
    benchmark::DoNotOptimize(digests.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * digests.size()));
}
BENCHMARK(PoseidonMany)->Arg(2)->Arg(8)->Arg(11);

}  // namespace
}  // namespace proofline::math

BENCHMARK_MAIN();
