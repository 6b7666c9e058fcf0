#include "filecoin/labels.hpp"

#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kFieldGrain = 4096;            // nodes a task, field arithmetic
constexpr std::size_t kColumnGrain = 64;             // nodes a task, Poseidon
constexpr std::size_t kParentGrain = 256;            // nodes a task, graph
constexpr std::size_t kParentChunk = 8192;           // nodes whose parents are found ahead
constexpr std::size_t kPart = std::size_t{1} << 16;  // nodes between progress reports

std::span<const std::uint8_t> bytes_of(std::span<const Node> nodes) {
  return {reinterpret_cast<const std::uint8_t*>(nodes.data()), nodes.size_bytes()};
}

using Parents = StackedGraph::Parents;

// Parents of [begin, begin + out.size()); only the DRG ones in the first layer.
void find_parents(const StackedGraph& graph, bool first_layer, std::uint64_t begin, std::span<Parents> out,
                  const Executor& exec) {
  exec.parallel_for(out.size(), kParentGrain, [&](std::size_t from, std::size_t to) {
    if (!first_layer) {
      graph.fill_parents(static_cast<std::uint32_t>(begin + from), out.subspan(from, to - from));
      return;
    }
    for (std::size_t i = from; i < to; ++i) {
      const auto drg = graph.drg_parents(static_cast<std::uint32_t>(begin + i));
      std::copy(drg.begin(), drg.end(), out[i].begin());
    }
  });
}

void label_chunk(const Node& replica_id, std::uint32_t layer, std::uint64_t begin, std::span<const Parents> parents,
                 std::span<const Node> previous, std::span<Node> out) {
  std::array<Node, StackedGraph::kParents> values;
  const std::size_t used = previous.empty() ? kDrgParents : StackedGraph::kParents;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::uint64_t node = begin + i;
    if (node == 0) {
      out[0] = label(replica_id, layer, 0, {});
      continue;
    }
    for (std::size_t p = 0; p < used; ++p) {
      values[p] = p < kDrgParents ? out[parents[i][p]] : previous[parents[i][p]];
    }
    out[node] = label(replica_id, layer, node, std::span(values).first(used));
  }
}

void check_sizes(std::string_view what, std::size_t a, std::size_t b) {
  if (a != b) {
    throw InputError(std::string(what) + ": " + std::to_string(a) + " nodes; expected " + std::to_string(b));
  }
}

template <class Combine>
void combine_nodes(std::string_view what, std::span<const Node> a, std::span<const Node> labels, std::span<Node> out,
                   const Executor& exec, const Combine& combine) {
  check_sizes(what, a.size(), out.size());
  check_sizes(what, labels.size(), out.size());
  exec.parallel_for(out.size(), kFieldGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto left = math::Fr::from_bytes(a[i]);
      const auto right = math::Fr::from_bytes(labels[i]);
      if (!left || !right) {
        throw InputError(std::string(what) + ": " + (left ? "the label of " : "") + "node " + std::to_string(i) +
                         " is not below the field's modulus");
      }
      out[i] = combine(*left, *right).to_bytes();
    }
  });
}

}  // namespace

Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node, std::span<const Node> parents) {
  std::array<std::uint8_t, 32> place{};
  for (std::size_t i = 0; i < 4; ++i) place[i] = static_cast<std::uint8_t>(layer >> (24 - 8 * i));
  for (std::size_t i = 0; i < 8; ++i) place[4 + i] = static_cast<std::uint8_t>(node >> (56 - 8 * i));
  Sha256 hash;
  hash.update(replica_id).update(place);
  if (!parents.empty()) {
    std::size_t left = kTotalParents;
    for (; left > parents.size(); left -= parents.size()) hash.update(bytes_of(parents));
    hash.update(bytes_of(parents.first(left)));
  }
  return truncate_to_field(hash.finish());
}

void fill_layer(const StackedGraph& graph, const Node& replica_id, std::uint32_t layer, std::span<const Node> previous,
                std::span<Node> out, const Executor& exec, Progress& progress) {
  check_sizes("labels", out.size(), graph.nodes());
  if (layer == 1 ? !previous.empty() : previous.size() != out.size()) {
    throw InputError("labels: layer " + std::to_string(layer) + " needs " +
                     std::to_string(layer == 1 ? 0 : out.size()) + " labels of the layer before, not " +
                     std::to_string(previous.size()));
  }
  const bool first_layer = layer == 1;
  const std::string stage = "labels of layer " + std::to_string(layer);
  std::vector<Parents> current(kParentChunk);
  std::vector<Parents> ahead(kParentChunk);
  const auto chunk = [&](std::vector<Parents>& parents, std::uint64_t begin) {
    return std::span(parents).first(std::min<std::uint64_t>(kParentChunk, out.size() - begin));
  };

  exec.run([&] {
    find_parents(graph, first_layer, 0, chunk(current, 0), exec);
    for (std::uint64_t begin = 0; begin < out.size(); begin += kParentChunk) {
      oneapi::tbb::task_group next;
      const std::uint64_t next_begin = begin + kParentChunk;
      if (next_begin < out.size()) {
        next.run([&, next_begin] { find_parents(graph, first_layer, next_begin, chunk(ahead, next_begin), exec); });
      }
      const std::span<Parents> parents = chunk(current, begin);
      label_chunk(replica_id, layer, begin, parents, previous, out);
      next.wait();
      std::swap(current, ahead);
      progress.report(stage, begin + parents.size(), out.size());
    }
  });
}

void encode(std::span<const Node> data, std::span<const Node> labels, std::span<Node> replica, const Executor& exec) {
  combine_nodes("encode", data, labels, replica, exec, [](const math::Fr& a, const math::Fr& b) { return a + b; });
}

void decode(std::span<const Node> replica, std::span<const Node> labels, std::span<Node> data, const Executor& exec) {
  combine_nodes("decode", replica, labels, data, exec, [](const math::Fr& a, const math::Fr& b) { return a - b; });
}

void hash_columns(std::span<const std::span<const Node>> layers, std::span<Node> columns, const Executor& exec,
                  Progress& progress) {
  if (layers.size() != 2 && layers.size() != 11) {
    throw InputError("columns: " + std::to_string(layers.size()) + " layers; expected 2 or 11");
  }
  for (const auto& layer : layers) check_sizes("columns", layer.size(), columns.size());
  for (std::size_t part = 0; part < columns.size(); part += kPart) {
    const std::size_t size = std::min(kPart, columns.size() - part);
    exec.parallel_for(size, kColumnGrain, [&](std::size_t begin, std::size_t end) {
      constexpr std::size_t kGroup = 8;
      std::array<Node, 11 * kGroup> rows;
      for (std::size_t i = part + begin; i < part + end; i += kGroup) {
        const std::size_t count = std::min(kGroup, part + end - i);
        auto next = rows.begin();
        for (std::size_t node = i; node < i + count; ++node)
          for (const auto& layer : layers) *next++ = layer[node];
        poseidon_parents(std::span(rows).first(count * layers.size()), columns.subspan(i, count));
      }
    });
    progress.report("columns", part + size, columns.size());
  }
}

}  // namespace proofline::filecoin
