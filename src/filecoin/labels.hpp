#pragma once
/// Labels (the key of the encoding) and the encoding itself.
/// Source: Filecoin specification, Stacked DRG PoRep, labeling and encoding.
#include <cstdint>
#include <span>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// SHA-256(replica_id || be32(layer) || be64(node) || 20 zero bytes || parents), truncated to 254 bits,
/// where the parents' labels are repeated in turn up to 37. `layer` is 1 for the first layer. `parents` is
/// empty for node 0 and else 6 DRG parents (first layer), 14 parents, or 37 already repeated ones.
Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node, std::span<const Node> parents);

/// All labels of layer `layer` into `out`, from those of the layer before (empty for the first layer).
/// Nodes follow each other; parents are found ahead on other threads. Throws InputError when a span's size
/// is not the graph's number of nodes.
void fill_layer(const StackedGraph& graph, const Node& replica_id, std::uint32_t layer, std::span<const Node> previous,
                std::span<Node> out, const Executor& exec, Progress& progress);

/// replica[i] = data[i] + labels[i] in Fr; `replica` may be `data`. Throws InputError naming the first node
/// that is no field element. The spans have equal length.
void encode(std::span<const Node> data, std::span<const Node> labels, std::span<Node> replica, const Executor& exec);
/// data[i] = replica[i] - labels[i].
void decode(std::span<const Node> replica, std::span<const Node> labels, std::span<Node> data, const Executor& exec);

/// The leaves of tree_c: the Poseidon hash of each node's labels in all layers, first layer first.
/// 2 or 11 layers, each as long as `columns`, else InputError.
void hash_columns(std::span<const std::span<const Node>> layers, std::span<Node> columns, const Executor& exec,
                  Progress& progress);

}  // namespace proofline::filecoin
