// Rates of sealing's parts. The first argument of a benchmark is the number of threads; items are nodes.
#include <benchmark/benchmark.h>

#include "filecoin/labels.hpp"
#include "filecoin/tree.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::uint64_t kNodes = std::uint64_t{1} << 18;  // an 8 MiB sector

StackedGraph graph() {
  return {kNodes, Bytes32{6}, ApiVersion::kV1_1};
}

std::vector<Node> nodes(std::size_t count) {
  std::vector<Node> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t b = 0; b < 31; ++b) out[i][b] = static_cast<std::uint8_t>((i >> (b % 4 * 8)) * 31 + b);
  }
  return out;
}

void Parents(benchmark::State& state) {
  const StackedGraph g = graph();
  std::vector<StackedGraph::Parents> out(4096);
  for (auto _ : state) {
    g.fill_parents(0, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(Parents);

void Label(benchmark::State& state) {
  const std::vector<Node> parents = nodes(StackedGraph::kParents);
  Node id{1};
  for (auto _ : state) benchmark::DoNotOptimize(id = label(id, 2, 77, parents));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(Label);

void Layer(benchmark::State& state) {
  const Executor exec(static_cast<unsigned>(state.range(0)));
  const StackedGraph g = graph();
  const std::vector<Node> previous = nodes(kNodes);
  std::vector<Node> out(kNodes);
  for (auto _ : state) fill_layer(g, Node{1}, 2, previous, out, exec, no_progress());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kNodes));
}
BENCHMARK(Layer)->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();

void Columns(benchmark::State& state) {
  const Executor exec(static_cast<unsigned>(state.range(0)));
  const std::vector<Node> layer = nodes(1U << 13);
  std::vector<std::span<const Node>> layers(static_cast<std::size_t>(state.range(1)), layer);
  std::vector<Node> out(layer.size());
  for (auto _ : state) hash_columns(layers, out, exec, no_progress());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(Columns)->ArgsProduct({{1, 0}, {2, 11}})->Unit(benchmark::kMillisecond)->UseRealTime();

void Tree(benchmark::State& state) {
  const Executor exec(static_cast<unsigned>(state.range(0)));
  const bool poseidon = state.range(1) == 8;
  const TreeRows rows(static_cast<unsigned>(state.range(1)), std::uint64_t{1} << 15);
  const std::vector<Node> leaves = nodes(rows.row_size(0));
  std::vector<Node> upper(rows.total() - leaves.size());
  for (auto _ : state) {
    fill_rows(poseidon ? TreeHash::kPoseidon : TreeHash::kSha256, rows, leaves, upper, exec, no_progress(), "");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * upper.size()));
}
BENCHMARK(Tree)->ArgsProduct({{1, 0}, {2, 8}})->Unit(benchmark::kMillisecond)->UseRealTime();

void Encode(benchmark::State& state) {
  const Executor exec(static_cast<unsigned>(state.range(0)));
  const std::vector<Node> data = nodes(kNodes);
  std::vector<Node> out(kNodes);
  for (auto _ : state) encode(data, data, out, exec);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kNodes));
}
BENCHMARK(Encode)->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace proofline::filecoin

BENCHMARK_MAIN();
